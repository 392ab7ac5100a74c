import ArgumentParser
import CommandHelp
import PulseBoardVocabulary
import StoreSQLite

/// The option for the directory of a server's files.
struct DataDirectoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("The server's data directory.", "서버의 데이터 디렉터리."),
            discussion: Phrase(
                """
                Without it: PULSEBOARD_DATA_DIRECTORY, else what the server's configuration file says, else $XDG_DATA_HOME/pulseboard, else \
                /var/lib/pulseboard for root and ~/.local/share/pulseboard for others.
                """,
                """
                생략하면 PULSEBOARD_DATA_DIRECTORY, 없으면 서버 설정 파일의 값, 그것도 없으면 $XDG_DATA_HOME/pulseboard, 그다음은 root는 \
                /var/lib/pulseboard, 나머지는 ~/.local/share/pulseboard입니다.
                """),
            valueName: "path"),
        completion: .directory)
    var dataDirectory: String?

    /// The option as it was given, for the next command; empty without it.
    var option: String { dataDirectory.map { " --data-directory " + $0.shellQuoted } ?? "" }

    /// The directory that the option or the variable names; `nil` if neither does.
    func given(in environment: CommandEnvironment) -> String? {
        environment.value(dataDirectory, orVariable: "PULSEBOARD_DATA_DIRECTORY").map(environment.absolutePath)
    }

    /// The directory that is given, else that of the server's configuration, else the default.
    func path(in environment: CommandEnvironment, _ configuration: Doctor.ServerConfiguration?) -> String {
        given(in: environment) ?? configuration?.path("data-directory")
            ?? environment.absolutePath(SQLiteStore.defaultDirectory(environment: environment.variables, uid: environment.userID))
    }
}

/// The option for the directory of pictures.
struct ImageDirectoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("Where the server keeps pictures.", "서버가 사진을 두는 곳."),
            discussion: Phrase(
                """
                Without it: PULSEBOARD_IMAGE_DIRECTORY, else what the server's configuration file says if it has this data directory, else images in \
                the data directory.
                """,
                """
                생략하면 PULSEBOARD_IMAGE_DIRECTORY, 없으면 이 데이터 디렉터리를 쓰는 서버 설정 파일의 값, 그것도 없으면 데이터 디렉터리의 images입니다.
                """),
            valueName: "path"),
        completion: .directory)
    var imageDirectory: String?

    /// The option as it was given, for the next command; empty without it.
    var option: String { imageDirectory.map { " --image-directory " + $0.shellQuoted } ?? "" }

    /// The directory that the option or the variable names; `nil` if neither does.
    func given(in environment: CommandEnvironment) -> String? {
        environment.value(imageDirectory, orVariable: "PULSEBOARD_IMAGE_DIRECTORY").map(environment.absolutePath)
    }

    /// The directory; `nil` for the default one in the data directory.
    /// - Parameter dataDirectory: the data directory of the same server.
    func path(
        in environment: CommandEnvironment, _ configuration: Doctor.ServerConfiguration?, of dataDirectory: String
    ) -> String? {
        if let given = given(in: environment) { return given }
        return configuration?.path("data-directory") == dataDirectory ? configuration?.path("image-directory") : nil
    }
}

extension Invocation {
    /// The configuration with which the server's program would start; `nil` without that program. It runs the program.
    func serverConfiguration() -> Doctor.ServerConfiguration? {
        environment.serverConfiguration(Doctor.isOfMachine(socket, uid: environment.userID))
    }

    /// The directories of the data and of the pictures; `nil` for the pictures' default.
    /// - Throws: a failure if the server's configuration cannot be used, unless both directories are given. A command on the default directories
    ///   could harm a server that has others.
    func storePlaces(_ data: DataDirectoryOptions, _ images: ImageDirectoryOptions) throws(CommandFailure) -> (data: String, images: String?) {
        let configuration = serverConfiguration()
        let areGiven = data.given(in: environment) != nil && images.given(in: environment) != nil
        if let problem = configuration?.problem, configuration?.isKnown == false, !areGiven {
            throw CommandFailure(
                code: .failedPrecondition, reason: "CONFIGURATION_UNUSABLE",
                message: text(
                    "The server's configuration cannot be used, so it is not known where its data is: \(problem). Mend it, or give both --data-directory and "
                        + "--image-directory.",
                    "서버 설정을 쓸 수 없어 데이터의 위치를 알 수 없습니다: \(problem). 설정을 고치거나 --data-directory와 --image-directory를 모두 지정하세요."))
        }
        if data.given(in: environment) == nil, configuration?.usesPostgreSQL == true {
            throw CommandFailure(
                code: .failedPrecondition, reason: "STORE_IS_POSTGRESQL",
                message: text(
                    "The server keeps its data in PostgreSQL, which has tools of its own (docs/scaling.md). This command works with a data directory: "
                        + "give --data-directory if you mean one.",
                    "서버가 데이터를 PostgreSQL에 둡니다. PostgreSQL의 자체 도구를 쓰세요(docs/scaling.md). 이 명령은 데이터 디렉터리를 다룹니다. "
                        + "그런 디렉터리라면 --data-directory를 지정하세요."))
        }
        let directory = data.path(in: environment, configuration)
        let imageDirectory = images.path(in: environment, configuration, of: directory)
        // After a move to PostgreSQL, the old data directory may still have the pictures. Its database knows none that came since, and a repair would
        // remove them.
        if configuration?.usesPostgreSQL == true, images.given(in: environment) == nil,
            configuration?.path("image-directory") == imageDirectory ?? directory + "/images"
        {
            throw CommandFailure(
                code: .failedPrecondition, reason: "STORE_IS_POSTGRESQL",
                message: text(
                    "The server keeps its data in PostgreSQL, and its pictures in a directory of this data. Give --image-directory to name the pictures of "
                        + "this data.",
                    "서버가 데이터를 PostgreSQL에 두고, 사진은 이 데이터의 디렉터리에 둡니다. 이 데이터의 사진이 있는 곳을 --image-directory로 지정하세요."))
        }
        return (directory, imageDirectory)
    }
}
