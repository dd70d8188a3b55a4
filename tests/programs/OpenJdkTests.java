// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Runs OpenJDK's tests of channels from their sources, each in a JVM of its own with a limit on its time, and prints a line for
 * each. A test that fails where channels use RDMA alone runs again with its plain sockets replaced by those of channels, then
 * unchanged where channels may use TCP, and then with the JDK's provider.
 *
 * <p>The arguments are a folder for classes and logs, a source tree of OpenJDK, and tests such as {@code Selector/Wakeup}; without
 * tests, all of the folders below. Of the tests' tags those count that these tests have.
 */
public final class OpenJdkTests {
    private static final List<String> FOLDERS =
            List.of("SocketChannel", "ServerSocketChannel", "DatagramChannel", "unixdomain", "Selector", "SelectionKey",
                    "Pipe", "etc", ".");
    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";
    private static final String RULES = "io.github.rdma4j.nio.rules";

    /** That of OpenJDK's own harness. */
    private static final int LIMIT_SECONDS = 120;

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern TELLING = Pattern.compile("^FAILED|(Exception|Error)\\b");

    private final Path work;
    private final Path channels;
    private final Path library;
    private int failed;

    private OpenJdkTests(Path work, Path sources) {
        this.work = work;
        channels = sources.resolve("test/jdk/java/nio/channels");
        library = sources.resolve("test/lib");
    }

    /** What channels may use; the first with which a test passes counts. */
    private enum Mode {
        RDMA("over RDMA alone"),
        SOCKETS("over RDMA, sockets too"),
        EITHER("with TCP too"),
        JDK("with the JDK's");

        private final String words;

        Mode(String words) {
            this.words = words;
        }

        List<String> options() {
            String rules = System.getProperty(RULES) + (this == EITHER ? "" : "; fallback none");
            return this == JDK
                    ? List.of()
                    : List.of(
                            "-D" + PROVIDER + "=" + System.getProperty(PROVIDER),
                            "-D" + RULES + "=" + rules);
        }
    }

    /** One run that a test asks for. */
    private record Run(String kind, List<String> options, List<String> words) {}

    private record Outcome(String verdict, Path log) {
        boolean passed() {
            return verdict.equals("passed");
        }
    }

    public static void main(String[] arguments) throws Exception {
        OpenJdkTests tests = new OpenJdkTests(Path.of(arguments[0]), Path.of(arguments[1]));
        List<String> names = arguments.length > 2 ? List.of(arguments).subList(2, arguments.length) : tests.all();
        for (String name : names) {
            tests.test(name);
        }
        System.out.println(names.size() + " tests, " + tests.failed + " failed");
        System.exit(tests.failed == 0 ? 0 : 1);
    }

    private List<String> all() throws IOException {
        List<String> names = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.list(channels.resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".java") && Files.readString(file).contains("@test")) {
                        names.add(folder + "/" + name.replace(".java", ""));
                    }
                }
            }
        }
        return names;
    }

    private void test(String name) throws Exception {
        Path source = channels.resolve(name + ".java").normalize();
        List<String> libraries = new ArrayList<>(List.of(source.getParent().toString()));
        List<String> exports = new ArrayList<>();
        List<Run> runs = runs(source, libraries, exports);
        if (runs.isEmpty()) {
            row(name, "not for Linux", 0, 0, 0);
        }
        for (int i = 0; i < runs.size(); i++) {
            Compilation compilation = new Compilation(source, libraries, exports);
            run(runs.size() == 1 ? name : name + " " + (i + 1), runs.get(i), compilation);
        }
    }

    private void run(String label, Run run, Compilation compilation) throws Exception {
        boolean passed = false;
        for (Mode mode : Mode.values()) {
            if (mode == Mode.SOCKETS && !hasSockets(compilation.source())) {
                continue;
            }
            long packets = packets();
            long segments = segments();
            long start = System.nanoTime();
            Outcome outcome = run(run, compilation, mode);
            double seconds = (System.nanoTime() - start) / 1e9;
            row(label, outcome.verdict() + " " + mode.words, seconds, packets() - packets, segments() - segments);
            if (outcome.passed()) {
                passed = mode != Mode.JDK;
                break;
            }
            excerpt(outcome.log());
        }
        failed += passed ? 0 : 1;
    }

    private static void row(String name, String verdict, double seconds, long packets, long segments) {
        System.out.printf(
                "%-40s %-34s %6.1f s %7d RoCE %7d TCP%n", name.replace("./", ""), verdict, seconds, packets, segments);
    }

    private static void excerpt(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        int first = 0;
        while (first < lines.size() - 1 && !TELLING.matcher(lines.get(first)).find()) {
            first++;
        }
        lines.subList(Math.min(first, Math.max(0, lines.size() - 12)), lines.size()).stream()
                .limit(12)
                .forEach(line -> System.out.println("    " + line));
    }

    // What a test says of itself.

    private List<Run> runs(Path source, List<String> libraries, List<String> exports) throws IOException {
        List<Run> runs = new ArrayList<>();
        String simple = source.getFileName().toString().replace(".java", "");
        Matcher comments = COMMENT.matcher(Files.readString(source));
        while (comments.find()) {
            String comment = comments.group().replaceAll("(?m)^ *\\*/?", "").replace("*/", "");
            if (comment.contains("@test")) {
                runs.addAll(runsOf(comment, simple, libraries, exports));
            }
        }
        return runs;
    }

    private List<Run> runsOf(String comment, String simple, List<String> libraries, List<String> exports) {
        List<Run> runs = new ArrayList<>();
        for (String tag : comment.split("(?m)^[\\s/*]*@")) {
            List<String> words = List.of(tag.strip().split("\\s+"));
            List<String> values = words.subList(1, words.size());
            switch (words.get(0)) {
                case "requires" -> {
                    String what = tag.toLowerCase(Locale.ROOT);
                    if (what.contains("os.family") && !what.contains("linux") && !what.contains("!=")) {
                        return List.of();
                    }
                }
                case "library" -> values.forEach(value -> libraries.add(library(libraries.get(0), value)));
                case "modules" ->
                    values.stream()
                            .filter(value -> value.contains("/"))
                            .forEach(value -> exports.addAll(access(value)));
                case "run" -> runs.add(runOf(values));
                default -> {}
            }
        }
        return runs.isEmpty() ? List.of(new Run("main", List.of(), List.of(simple))) : runs;
    }

    /** Access to a package; the compiler takes the option for open packages, too, and warns. */
    private static List<String> access(String module) {
        String name = module.replaceFirst(":.*", "");
        return List.of(module.endsWith(":open") ? "--add-opens" : "--add-exports", name + "=ALL-UNNAMED");
    }

    private String library(String folder, String name) {
        return name.equals("/test/lib") ? library.toString() : Path.of(folder, name).normalize().toString();
    }

    private static Run runOf(List<String> words) {
        int main = 1;
        while (words.get(main).startsWith("-")) {
            main++;
        }
        return new Run(words.get(0).split("/")[0], words.subList(1, main), words.subList(main, words.size()));
    }

    // Compiling and running.

    /** What the compiler needs for a test. */
    private record Compilation(Path source, List<String> libraries, List<String> exports) {}

    /** Returns the folder of the classes; null if the test does not compile. */
    private Path compile(Compilation what, boolean socketsToo) throws IOException {
        Path place = channels.relativize(what.source());
        Path classes = work.resolve(socketsToo ? "replaced" : "classes").resolve(place);
        if (Files.exists(classes)) {
            return classes;
        }
        Files.createDirectories(classes);
        Path root = socketsToo ? replaced() : channels;
        String path = what.libraries().stream()
                .map(folder -> folder.replace(channels.toString(), root.toString()))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> options = new ArrayList<>(List.of("-nowarn", "-XDignore.symbol.file", "-d", classes.toString()));
        options.addAll(List.of("-cp", System.getProperty("java.class.path"), "-sourcepath", path));
        options.addAll(what.exports());
        options.add(root.resolve(place).toString());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        if (ToolProvider.getSystemJavaCompiler().run(null, said, said, options.toArray(String[]::new)) == 0) {
            return classes;
        }
        System.out.println(said);
        return null;
    }

    private static String withSocketsOfChannels(String source) {
        return source.replace("new ServerSocket(", "SocketsOfChannels.serverSocket(")
                .replace("new Socket(", "SocketsOfChannels.socket(")
                // Methods that a test looks for in stacks.
                .replace("sun.nio.ch.SocketChannelImpl.read", "io.github.rdma4j.internal.nio.StreamSocketChannel.read")
                .replace("sun.nio.ch.NioSocketImpl.implRead", "io.github.rdma4j.internal.nio.ChannelSocket$Input.read");
    }

    /** Whether a test has plain sockets, itself or by a class that several tests use. */
    private static boolean hasSockets(Path source) throws IOException {
        String text = Files.readString(source);
        return !text.equals(withSocketsOfChannels(text)) || text.contains("TestServers") || text.contains("ByteServer");
    }

    /** A copy of the tests whose plain sockets are those of channels. */
    private Path replaced() throws IOException {
        Path copy = work.resolve("copy");
        if (Files.exists(copy)) {
            return copy;
        }
        try (Stream<Path> files = Files.walk(channels, 2)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
                Path target = copy.resolve(channels.relativize(file));
                Files.createDirectories(target.getParent());
                Files.writeString(target, withSocketsOfChannels(Files.readString(file)));
            }
        }
        return copy;
    }

    private Outcome run(Run run, Compilation compilation, Mode mode) throws Exception {
        Path classes = compile(compilation, mode == Mode.SOCKETS);
        Path log = Files.createTempFile(work, "log", "");
        if (classes == null) {
            return new Outcome("does not compile", log);
        }
        String home = System.getProperty("java.home");
        List<String> command = new ArrayList<>(List.of(home + "/bin/java", "-XX:+UseSerialGC", "-Dtest.jdk=" + home));
        command.addAll(mode.options());
        command.addAll(compilation.exports());
        command.addAll(run.options());
        command.addAll(List.of("-cp", classes + File.pathSeparator + System.getProperty("java.class.path")));
        command.addAll(
                switch (run.kind()) {
                    case "testng" ->
                        List.of("org.testng.TestNG", "-usedefaultlisteners", "false", "-verbose", "2", "-testclass");
                    case "junit" ->
                        List.of("org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner", "-c");
                    default -> List.of();
                });
        command.addAll(run.words());
        return outcome(command, log);
    }

    private Outcome outcome(List<String> command, Path log) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.getOutputStream().close();
        if (process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            int status = process.exitValue();
            return new Outcome(status == 0 ? "passed" : "failed", log);
        }
        // Threads' stacks go to the log.
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
        process.waitFor(2, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        return new Outcome("out of time", log);
    }

    // What was sent.

    private static long packets() throws IOException {
        Path counter = Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts");
        return Long.parseLong(Files.readString(counter).strip());
    }

    private static long segments() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/net/snmp")).stream()
                .filter(line -> line.startsWith("Tcp:"))
                .collect(Collectors.toList());
        List<String> names = Arrays.asList(lines.get(0).split(" "));
        return Long.parseLong(lines.get(1).split(" ")[names.indexOf("OutSegs")]);
    }
}
