import Entitlements

// Purses, packs and what they are made of, as rows and the journal keep them.

extension ByteWriter {
    /// Source, end, amount; of a paid period, before them a length that no source has, its number,
    /// and when it begins.
    mutating func bucket(_ value: Bucket) {
        if value.isOfPeriod {
            integer(Bucket.periodMark)
            integer(value.period)
            moment(value.from)
        }
        text(value.source)
        moment(value.until)
        integer(value.amount)
    }

    /// Number, latest end, end now.
    mutating func periodMove(_ value: PeriodMove) {
        integer(value.period)
        moment(value.until)
        moment(value.to)
    }

    /// Id, end, parts.
    mutating func hold(_ value: Hold) {
        integer(value.id)
        moment(value.until)
        list(value.parts) { $0.bucket($1) }
    }

    /// Buckets, holds, debt; what was forgiven only where anything was, and behind it, where there
    /// are any, ends of periods that moved and what was left of those that ended.
    ///
    /// `isWhole`: every part, because something stands behind it.
    mutating func purse(_ value: Purse, isWhole: Bool = false) {
        list(value.buckets) { $0.bucket($1) }
        list(value.holds) { $0.hold($1) }
        integer(value.debt)
        let hasPeriods = isWhole || !value.moved.isEmpty || !value.ended.isEmpty
        guard hasPeriods || !value.forgiven.isEmpty else { return }
        list(value.forgiven) { $0.forgiveness($1) }
        guard hasPeriods else { return }
        list(value.moved) { $0.periodMove($1) }
        list(value.ended) { $0.bucket($1) }
    }

    mutating func forgiveness(_ value: Forgiveness) {
        packKey(value.pack)
        moment(value.at)
        integer(value.seq)
        integer(value.amount)
    }

    /// A pack, and behind it, where it was refunded in part, of how many credits, else of a paid
    /// period -1; of a period, beginning and end; the last part of a record.
    mutating func packRecord(_ value: Pack) {
        pack(value)
        if let part = value.refundedPart ?? (value.isPeriod ? -1 : nil) { integer(part) }
        guard value.isPeriod else { return }
        integer(value.period)
        moment(value.from)
        moment(value.until)
    }

    /// User, source, amount, what was taken back.
    mutating func pack(_ value: Pack) {
        user(value.user)
        text(value.source)
        integer(value.amount)
        optional(value.takenBack) { $0.integer($1) }
    }
}

extension ByteReader {
    mutating func bucket() throws(Malformed) -> Bucket {
        var (period, from) = (UInt64(0), Moment.distantPast)
        var ahead = self
        if try ahead.integer(UInt16.self) == Bucket.periodMark {
            self = ahead
            period = try integer()
            from = try moment()
            guard period != 0 else { throw Malformed() }
        }
        return Bucket(
            source: try text(),
            period: period,
            from: from,
            until: try moment(),
            amount: try integer()
        )
    }

    mutating func periodMove() throws(Malformed) -> PeriodMove {
        PeriodMove(period: try integer(), until: try moment(), to: try moment())
    }

    mutating func parts() throws(Malformed) -> [Bucket] {
        try list { (reader) throws(Malformed) in try reader.bucket() }
    }

    mutating func hold() throws(Malformed) -> Hold {
        Hold(id: try integer(), until: try moment(), parts: try parts())
    }

    /// Whole, or the last part of a record.
    mutating func purse() throws(Malformed) -> Purse {
        Purse(
            buckets: try parts(),
            holds: try list { (reader) throws(Malformed) in try reader.hold() },
            debt: try integer(),
            forgiven: isAtEnd
                ? [] : try list { (reader) throws(Malformed) in try reader.forgiveness() },
            moved: isAtEnd
                ? [] : try list { (reader) throws(Malformed) in try reader.periodMove() },
            ended: isAtEnd ? [] : try parts()
        )
    }

    mutating func forgiveness() throws(Malformed) -> Forgiveness {
        Forgiveness(
            pack: try packKey(),
            at: try moment(),
            seq: try integer(),
            amount: try integer()
        )
    }

    mutating func pack() throws(Malformed) -> Pack {
        Pack(
            user: try user(),
            source: try text(),
            amount: try integer(),
            takenBack: try optional { (reader) throws(Malformed) in try reader.integer() }
        )
    }

    /// What `ByteWriter.packRecord` wrote; without being told it is the last part of a record.
    mutating func packRecord(
        hasPart: Bool? = nil,
        isPeriod: Bool? = nil
    ) throws(Malformed) -> Pack {
        let pack = try pack()
        guard hasPart ?? !isAtEnd else { return pack }
        let part = try integer(Int64.self)
        let isPeriod = isPeriod ?? !isAtEnd
        return Pack(
            user: pack.user,
            source: pack.source,
            amount: pack.amount,
            period: isPeriod ? try integer() : 0,
            from: isPeriod ? try moment() : .distantPast,
            until: isPeriod ? try moment() : .distantFuture,
            takenBack: pack.takenBack,
            refundedPart: part < 0 ? nil : part
        )
    }
}

extension Bucket {
    /// Stands where the length of a source would: the buckets of a paid period have a beginning.
    fileprivate static let periodMark: UInt16 = 0xFFFF
}
