extension ConnectionState {
    /// The deadline that has passed, if any.
    enum Due: Equatable {
        case nothing
        /// An incomplete frame was not completed in time.
        case frame
        /// The waiting bytes were not read in time.
        case unread
        /// A caller who may ask nothing is still connected.
        case refusal
        /// The other side did not end its sending after this side had.
        case linger
        /// It left too many bytes unread for too long.
        case stall
        /// Its caller holds too much; `isOver` once that has lasted too long.
        case overShare(isOver: Bool)
    }

    /// Whether any deadline is set.
    var hasDeadline: Bool {
        isHalf || output != .sent || isPaused || closesAt != nil
    }

    /// The deadline that has passed at `now`; the first of several.
    func due(at now: Int64) -> Due {
        if case .half(let until, _) = input, now >= until { return .frame }
        if case .unsent(_, let until) = output, now >= until { return .unread }
        if let closesAt, now >= closesAt { return life == .lingering ? .linger : .refusal }
        switch pause {
        case .none: return .nothing
        case .unsent(let until): return now >= until ? .stall : .nothing
        case .overShare(let until): return .overShare(isOver: now >= until)
        }
    }
}
