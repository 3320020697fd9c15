import AppStoreSimulator
import ArgumentParser

@main
struct Appstoresim: AsyncParsableCommand {
}
