extension ConfigurationNode {
    /// A text that is not empty and holds no control character.
    func text(key: String) throws(ConfigurationFailure) -> String {
        guard case .text(let text) = self else {
            throw wrongType(key, "a text (in quotes where it looks like a number or a switch)")
        }
        guard !text.isEmpty else { throw .wrong(key, "must not be empty") }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .wrong(key, "must not hold control characters")
        }
        return text
    }

    /// A whole number within `range`.
    func integer(
        key: String,
        in range: ClosedRange<Int>
    ) throws(ConfigurationFailure) -> Int {
        guard case .integer(let integer) = self else { throw wrongType(key, "a whole number") }
        guard range.contains(integer) else {
            throw .wrong(
                key,
                "must be from \(range.lowerBound) to \(range.upperBound), not \(integer)"
            )
        }
        return integer
    }

    /// `true` or `false`.
    func boolean(key: String) throws(ConfigurationFailure) -> Bool {
        guard case .boolean(let boolean) = self else { throw wrongType(key, "true or false") }
        return boolean
    }

    /// One of `names`.
    func choice(key: String, of names: [String]) throws(ConfigurationFailure) -> String {
        let wanted = names.count == 1 ? names[0] : "one of \(names.joined(separator: ", "))"
        guard case .text(let text) = self else { throw wrongType(key, wanted) }
        guard names.contains(text) else {
            throw .wrong(key, "must be \(wanted), not \"\(text)\"")
        }
        return text
    }

    /// A list; nothing is the empty list.
    func list(key: String) throws(ConfigurationFailure) -> [ConfigurationNode] {
        guard case .list(let list) = self else { throw wrongType(key, "a list") }
        return list
    }

    /// A list, each element read with the key that it has there.
    func list<Element>(
        key: String,
        _ read: (ConfigurationNode, String) throws(ConfigurationFailure) -> Element
    ) throws(ConfigurationFailure) -> [Element] {
        var elements: [Element] = []
        for (index, element) in try list(key: key).enumerated() {
            elements.append(try read(element, "\(key)[\(index)]"))
        }
        return elements
    }

    /// A list of texts.
    func texts(key: String) throws(ConfigurationFailure) -> [String] {
        try list(key: key) { (element, key) throws(ConfigurationFailure) in
            try element.text(key: key)
        }
    }

    /// A list of products: each an id, or `{id: …, days: …}` for a non-renewing subscription.
    func products(key: String) throws(ConfigurationFailure) -> [CatalogSettings.Product] {
        var products: [CatalogSettings.Product] = []
        for (index, element) in try list(key: key).enumerated() {
            let elementKey = "\(key)[\(index)]"
            guard case .map(let members) = element else {
                products.append(.init(id: try element.text(key: elementKey)))
                continue
            }
            var id: String?
            var days: Int?
            for member in members {
                let memberKey = "\(elementKey).\(member.key)"
                switch member.key {
                case "id": id = try member.value.text(key: memberKey)
                case "days":
                    days = try member.value.integer(
                        key: memberKey,
                        in: 1...ConfigurationLimits.daysMax
                    )
                default:
                    throw .wrong(memberKey, "is no known key of the catalog")
                }
            }
            guard let id else { throw .wrong("\(elementKey).id", "must be there") }
            products.append(.init(id: id, days: days))
        }
        return products
    }

    /// A map, its keys in the order of the file.
    func map(key: String) throws(ConfigurationFailure) -> [Member] {
        guard case .map(let members) = self else { throw wrongType(key, "a map of keys") }
        return members
    }

    /// `{bundleId: …, appAppleId: …}`; the number may be absent.
    func app(key: String) throws(ConfigurationFailure) -> Settings.Apple.App {
        var bundleId: String?
        var appAppleId: Int?
        for member in try map(key: key) {
            let memberKey = "\(key).\(member.key)"
            switch member.key {
            case "bundleId": bundleId = try member.value.text(key: memberKey)
            case "appAppleId":
                appAppleId = try member.value.integer(
                    key: memberKey,
                    in: Settings.Apple.appleIds
                )
            default: throw .wrong(memberKey, "is no known key")
            }
        }
        guard let bundleId else { throw .missing("\(key).bundleId") }
        return Settings.Apple.App(bundleId: bundleId, appAppleId: appAppleId)
    }

    /// `{uid: …, role: …}` or `{gid: …, role: …}`.
    func access(key: String) throws(ConfigurationFailure) -> Settings.RPC.Access {
        var peer: Settings.RPC.Access.Peer?
        var role: Settings.RPC.Role?
        let ids = 0...Int(UInt32.max) - 1
        for member in try map(key: key) {
            let memberKey = "\(key).\(member.key)"
            switch member.key {
            case "uid", "gid":
                guard peer == nil else {
                    throw .wrong(key, "must name a uid or a gid, not both")
                }
                let id = UInt32(try member.value.integer(key: memberKey, in: ids))
                peer = member.key == "uid" ? .user(id) : .group(id)
            case "role":
                let name = try member.value.choice(key: memberKey, of: Settings.RPC.Role.names)
                role = Settings.RPC.Role(rawValue: name)
            default:
                throw .wrong(memberKey, "is no known key")
            }
        }
        guard let peer else { throw .wrong(key, "must name a uid or a gid") }
        guard let role else { throw .wrong(key, "must name a role") }
        return Settings.RPC.Access(peer: peer, role: role)
    }

    private func wrongType(_ key: String, _ wanted: String) -> ConfigurationFailure {
        .wrong(key, "must be \(wanted), not \(kind)")
    }
}
