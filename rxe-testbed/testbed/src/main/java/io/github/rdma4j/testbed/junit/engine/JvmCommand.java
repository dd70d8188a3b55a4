// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.image.Architecture;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.Launcher;
import org.opentest4j.AssertionFailedError;

/**
 * The command line of the JVM in the guest: this JVM's class path and the options that affect tests.
 *
 * @param java the program
 * @param options the options of this JVM that the guest takes over
 * @param classPath all places from which this JVM loads classes
 */
record JvmCommand(Path java, List<String> options, String classPath) {
    /** Prefixes of options of the JVM that programs notice. */
    private static final List<String> TAKEN_OVER = List.of(
            "-D",
            "-ea",
            "-enableassertions",
            "-da",
            "-disableassertions",
            "-esa",
            "-dsa",
            "-Xmx",
            "-Xms",
            "-Xss",
            "-XX:MaxDirectMemorySize=",
            "--add-opens",
            "--add-exports",
            "--add-modules",
            "--enable-native-access",
            "--enable-preview",
            "--sun-misc-unsafe-memory-access");

    private static final String PATCH = "--patch-module=";

    /** Agents. JaCoCo's agent is handled elsewhere, and a debugger has its own property. */
    private static final Pattern AGENT = Pattern.compile("-(javaagent:(?!.*jacoco)|agentpath:|agentlib:(?!jdwp)).*");

    private static final AtomicBoolean AGENTS_TOLD = new AtomicBoolean();

    /** The properties that describe a JVM and its machine. */
    private static final Pattern OWN = Pattern.compile(
            "java\\.(version|vendor|vm|runtime|specification|class)\\b.*|java\\.(home|library\\.path)|jdk\\.(module\\..*|debug)"
                    + "|os\\.(name|arch|version)|(file|path|line)\\.separator|(file|native|std(in|out|err))\\.encoding"
                    + "|sun\\.(arch\\.data\\.model|boot\\.library\\.path|cpu\\..*|io\\.unicode\\.encoding|java\\..*|jnu\\.encoding"
                    + "|management\\.compiler|os\\.patch\\.level|std(in|out|err)\\.encoding)|user\\.name");

    /** The longest class path on a command line: execve(2) takes 128 KiB a word, and a character three bytes. */
    private static final int LONGEST_CLASS_PATH = 40_000;

    static JvmCommand ofThisProcess() {
        List<String> arguments = ManagementFactory.getRuntimeMXBean().getInputArguments();
        List<String> options = new ArrayList<>(takenOver(arguments));
        Coverage.agentOption(arguments).ifPresent(options::add);
        options.addAll(words(System.getProperty("rdma4j.testbed.jvm", "")));
        List<String> agents = agentsLeftOut(arguments);
        if (!agents.isEmpty() && AGENTS_TOLD.compareAndSet(false, true)) {
            System.err.println("testbed: the JVM in the guest runs without the agents of this JVM, "
                    + String.join(", ", agents) + "; name those that the tests need in -Drdma4j.testbed.jvm");
        }
        return new JvmCommand(Path.of(System.getProperty("java.home"), "bin", "java"), options, classPath(arguments));
    }

    static List<String> takenOver(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> TAKEN_OVER.stream().anyMatch(argument::startsWith))
                .filter(argument -> !argument.startsWith("-Djdk.module.") && !argument.startsWith("-Djava.class.path="))
                .toList();
    }

    /** The agents that the JVM in the guest lacks. */
    static List<String> agentsLeftOut(List<String> arguments) {
        return arguments.stream().filter(AGENT.asMatchPredicate()).toList();
    }

    private static List<String> words(String text) {
        return Stream.of(text.split(" ")).filter(word -> !word.isEmpty()).toList();
    }

    /** Adds the launcher and the engines, which a build tool may keep apart from the tests. */
    static String classPath(List<String> arguments) {
        Set<String> entries = new LinkedHashSet<>();
        // The guest has no modules, so patches of a module come before the module on the class path.
        Stream<String> patches = arguments.stream()
                .filter(argument -> argument.startsWith(PATCH))
                .map(argument -> argument.substring(argument.indexOf('=', PATCH.length()) + 1));
        Stream<String> paths =
                Stream.of("java.class.path", "jdk.module.path").map(name -> System.getProperty(name, ""));
        Stream.concat(patches, paths)
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .forEach(entries::add);
        List<Class<?>> needed = new ArrayList<>(List.of(
                JvmCommand.class,
                Launcher.class,
                TestEngine.class,
                AnnotationSupport.class,
                AssertionFailedError.class));
        Mirror.engine().ifPresent(engine -> needed.add(engine.getClass()));
        needed.forEach(type -> location(type, entries));
        return String.join(File.pathSeparator, entries);
    }

    private static void location(Class<?> type, Set<String> entries) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        if (location != null && location.getProtocol().equals("file")) {
            try {
                entries.add(Path.of(location.toURI()).toString());
            } catch (URISyntaxException e) {
                throw new IllegalStateException("no path: " + location, e);
            }
        }
    }

    /** The system properties of this process that do not describe this JVM and this machine. */
    static TreeMap<String, String> systemProperties() {
        TreeMap<String, String> taken = new TreeMap<>();
        Properties properties = System.getProperties();
        for (String name : properties.stringPropertyNames()) {
            if (!OWN.matcher(name).matches()) {
                taken.put(name, properties.getProperty(name));
            }
        }
        return taken;
    }

    /** The command for a processor: another than this machine's has its own JVM in the guest, a JRE 17. */
    JvmCommand on(Architecture architecture) {
        return architecture.isOfThisMachine() ? this : new JvmCommand(Path.of("/usr/bin/java"), options, classPath);
    }

    /** All words, with additional options for the backend. */
    List<String> words(List<String> tuning) {
        List<String> words = new ArrayList<>(List.of(GuestMain.SHELL));
        words.add(java.toString());
        words.addAll(tuning);
        words.addAll(options);
        words.addAll(classPath.length() <= LONGEST_CLASS_PATH ? List.of("-cp", classPath) : List.of("@" + file()));
        words.add(GuestMain.class.getName());
        return words;
    }

    /** A file with the option for the class path, which the guest has at the same path. */
    private Path file() {
        String quoted = classPath.replace("\\", "\\\\").replace("\"", "\\\"");
        try {
            Path file = Files.createTempFile("rdma4j-class-path", null);
            file.toFile().deleteOnExit();
            return Files.writeString(file, "-cp \"" + quoted + "\"");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the class path of the guest to a file", e);
        }
    }
}
