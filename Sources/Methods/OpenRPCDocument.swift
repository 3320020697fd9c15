// swift-format-ignore-file
package enum OpenRPCDocument { package static let text: String = #"{}"# }
