import ArgumentParser
import PlayStoreSimulator
import SimulatorProgram

/// `list DIR`: what was bought.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print every purchase, one JSON object a line."
    )

    @OptionGroup var store: StoreArguments

    func run() throws {
        for line in try store.directory.books().lines { SimulatorProgram.say(line) }
    }
}
