/// The configuration of the emulated drone, as text by `section:key`.
struct EmulatedConfiguration: Sendable {
    private(set) var values: [String: String] = [
        "general:num_version_config": "1", "general:num_version_mb": "33", "general:num_version_soft": "2.4.8",
        "general:drone_serial": "EMULATED-000001", "general:ardrone_name": "My ARDrone", "general:flying_time": "0",
        "general:navdata_demo": "FALSE", "general:navdata_options": "65537", "general:com_watchdog": "2",
        "general:video_enable": "TRUE", "general:vision_enable": "TRUE", "general:vbat_min": "9000",
        "control:accs_offset": "{ -2.0e+03 2.1e+03\n 2.0e+03 }", "control:control_level": "0",
        "control:euler_angle_max": "2.0943952e-01", "control:altitude_max": "3000", "control:altitude_min": "50",
        "control:control_vz_max": "7.0000000e+02", "control:control_yaw": "1.7453293e+00", "control:outdoor": "FALSE",
        "control:flight_without_shell": "FALSE", "control:flying_mode": "0", "control:hovering_range": "1000",
        "control:flight_anim": "0,0", "control:indoor_euler_angle_max": "2.0943952e-01",
        "control:indoor_control_vz_max": "7.0000000e+02", "control:indoor_control_yaw": "1.7453293e+00",
        "control:outdoor_euler_angle_max": "3.4906584e-01", "control:outdoor_control_vz_max": "1.0000000e+03",
        "control:outdoor_control_yaw": "3.4906585e+00", "network:ssid_single_player": "ardrone2_000001",
        "network:wifi_mode": "0", "general:ultrasound_freq": "8", "pic:ultrasound_freq": "8",
        "video:video_codec": "129",
        "video:video_channel": "0", "video:codec_fps": "30", "video:bitrate": "1000", "leds:leds_anim": "0,0,0",
        "detect:detect_type": "3", "userbox:userbox_cmd": "0", "gps:latitude": "5.0000000000000000e+02",
        "gps:longitude": "5.0000000000000000e+02", "gps:altitude": "0.0000000000000000e+00",
        "custom:application_id": "00000000", "custom:profile_id": "00000000", "custom:session_id": "00000000",
    ]

    /// Sets a key that it has.
    ///
    /// - Returns: whether it has it.
    mutating func set(_ key: String, _ value: String) -> Bool {
        guard values[key] != nil else { return false }
        values[key] = value
        if key == "control:outdoor" {
            let place = value == "TRUE" ? "outdoor" : "indoor"
            for limit in ["euler_angle_max", "control_vz_max", "control_yaw"] {
                values["control:\(limit)"] = values["control:\(place)_\(limit)"]
            }
        }
        return true
    }

    /// The number of a key; 0 if it is none, or one that no drone has: it comes from outside.
    func number(_ key: String) -> Double {
        guard let value = values[key].flatMap(Double.init), value.magnitude < 1e9 else { return 0 }
        return value
    }

    /// Whether a switch is on.
    func isOn(_ key: String) -> Bool { values[key]?.uppercased() == "TRUE" }

    /// All of it, as on the control channel.
    var dump: [UInt8] {
        let lines = values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)\n" }
        return Array(lines.joined().utf8) + [0]
    }

    /// The identifiers, as on the control channel.
    var identifiers: [UInt8] {
        Array(
            "[applis]\r\n00000000,default\r\n[profiles]\r\n00000000,default\r\n[sessions]\r\n00000000,default\r\n".utf8)
            + [0]
    }
}
