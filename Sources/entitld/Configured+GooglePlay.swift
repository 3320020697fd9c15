import DaemonConfiguration
import Entitlements
import GooglePlay

extension Configured {
    /// Google Play, with its server, where the configuration names an app there.
    func googlePlay() throws(Stop) -> ConfiguredStore {
        guard let google = settings.google else {
            return ConfiguredStore(absent: GooglePlay.profile)
        }
        var made = GooglePlay.Settings(package: google.packageName)
        made.acknowledges = google.acknowledge
        made.account = try account(google.api)
        if let baseURL = google.api.baseURL {
            guard let host = StoreHost(baseURL) else {
                throw .configuration("google.api.baseURL: \(baseURL) is no server's address.")
            }
            made.host = host
        }
        if let push = google.push {
            made.authority = PushAuthority(
                audience: push.audience,
                account: push.serviceAccountEmail
            )
            made.subscription = push.subscription
            if let text = push.keysURL {
                guard let address = PlayAddress(text) else {
                    throw .configuration("google.push.keysURL: \(text) is no address.")
                }
                made.keys = address
            }
        }
        let play = GooglePlay(made)
        var store = ConfiguredStore(play, play)
        store.allowedSources = google.allowedSources
        return store
    }

    private func account(_ api: Settings.Google.API) throws(Stop) -> ServiceAccount {
        let key = "google.api.serviceAccountFile"
        let file = try content(of: api.serviceAccount)
        do throws(ServiceAccountFault) {
            return try ServiceAccount(file: file)
        } catch {
            throw .configuration("\(key): \(api.serviceAccount.path) \(error).")
        }
    }
}
