/**
 * How the window speaks to people in the languages that have a familiar form: never in that. The lists hold what is one
 * wherever it stands; other words of the familiar form are those of something else too, as `Teile` and `Descarga`.
 */
const FAMILIAR: Record<string, readonly RegExp[]> = {
  de: [
    words('[Dd](?:u|ich|ir|ein|eine[mnrs]?)|[Ee](?:uch|uer|ure[mnrs]?)'),
    words('hast|bist|kannst|willst|musst|sollst|darfst|wirst|möchtest|brauchst|siehst|findest', 'i'),
    words(
      'Wähle|Gib|Prüfe|Lade|Öffne|Schreibe|Warte|Lösche|Klicke|Drücke|Nutze|Verwende|Schließe|Speichere|Starte|Gehe|Sieh',
    ),
    words('(?:und|oder) (?:öffne|lade|halte|versuche|nutze|prüfe|warte|wähle|starte|lösche|schließe|gib|gehe|sieh)'),
    words('(?:Teile|Versuche|Halte|Frage|Suche) (?:es|sie|ihn)'),
  ],
  es: [
    words('tú|tu|tus|te|ti|contigo|tuyo|tuya|tuyos|tuyas', 'i'),
    words('puedes|tienes|quieres|debes|necesitas|estás|eres|haces|sabes|puedas|quieras|tengas|podrás|deberás', 'i'),
    words(
      'Elige|Escribe|Reintenta|Haz|Pulsa|Comprueba (?:que|si)|Espera (?:a que|hasta)|Abre (?:el|la|los|las)|Descarga (?:el|la|los|las)',
    ),
    words('(?:y|o) (?:vuelve a|elige|pulsa|haz)'),
    words(
      '(?:súbe|adjúnta|páusa|actíva|corríge|expórta|reanúda|renómbra|descárga|ábre|divíde|deté?n|inténta|obté?n|ciérra|añáde|quíta|guárda|elíge|bórra|búsca|cópia|instála|reiníci?a)(?:lo|la|los|las)',
      'i',
    ),
  ],
  fr: [words('tu|toi|te|tes|tien|tienne', 'i'), words('(?:et|ou) (?:choisis|essaie|réessaie|attends)')],
  pt: [words('tu|te|ti|teu|tua|teus|tuas|contigo', 'i')],
}

/** @returns what is of the familiar form; nothing for languages without one, or of which none is known here */
export function familiarIn(language: string, sentence: string): string[] {
  return (FAMILIAR[language] ?? []).flatMap(pattern => [...sentence.matchAll(pattern)].map(([found]) => found))
}

/** Whole ones: the letters around them may be accented. */
function words(alternatives: string, flags = ''): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, `gu${flags}`)
}
