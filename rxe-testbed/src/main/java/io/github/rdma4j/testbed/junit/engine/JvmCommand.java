// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.Launcher;
import org.opentest4j.AssertionFailedError;

/**
 * The command line of the JVM in the guest: this JVM's class path and those of its options that tests notice.
 *
 * @param java the program
 * @param options this JVM's options as far as the guest takes them over
 * @param classPath everything that this JVM loads classes from
 */
record JvmCommand(Path java, List<String> options, String classPath) {
    /** Options of the JVM that change what a program sees, by their beginning. */
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

    private static final List<String> OWN = List.of("java.", "jdk.", "sun.", "os.", "user.", "file.", "awt.");
    private static final Set<String> OWN_WORDS =
            Set.of("path.separator", "line.separator", "native.encoding", "stdout.encoding", "stderr.encoding");

    static JvmCommand ofThisProcess() {
        List<String> arguments = ManagementFactory.getRuntimeMXBean().getInputArguments();
        List<String> options = new ArrayList<>(takenOver(arguments));
        Coverage.agentOption(arguments).ifPresent(options::add);
        options.addAll(words(System.getProperty("rdma4j.testbed.jvm", "")));
        return new JvmCommand(
                Path.of(System.getProperty("java.home"), "bin", "java"), options, classPath(System.getProperties()));
    }

    static List<String> takenOver(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> TAKEN_OVER.stream().anyMatch(argument::startsWith))
                .filter(argument -> !argument.startsWith("-Djdk.module.") && !argument.startsWith("-Djava.class.path="))
                .toList();
    }

    private static List<String> words(String text) {
        return Stream.of(text.split(" ")).filter(word -> !word.isEmpty()).toList();
    }

    /** A build tool keeps the launcher and the engines apart from the tests, so they are added. */
    private static String classPath(Properties properties) {
        Set<String> entries = new LinkedHashSet<>();
        for (String name : List.of("java.class.path", "jdk.module.path")) {
            Stream.of(properties.getProperty(name, "").split(File.pathSeparator))
                    .filter(entry -> !entry.isEmpty())
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .forEach(entries::add);
        }
        List<Class<?>> needed = new ArrayList<>(List.of(
                JvmCommand.class,
                Launcher.class,
                TestEngine.class,
                AnnotationSupport.class,
                AssertionFailedError.class));
        JupiterDiscovery.engine().ifPresent(engine -> needed.add(engine.getClass()));
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

    /** This process's system properties, without those that describe this JVM and this machine. */
    static TreeMap<String, String> systemProperties() {
        TreeMap<String, String> taken = new TreeMap<>();
        Properties properties = System.getProperties();
        for (String name : properties.stringPropertyNames()) {
            if (OWN.stream().noneMatch(name::startsWith) && !OWN_WORDS.contains(name)) {
                taken.put(name, properties.getProperty(name));
            }
        }
        return taken;
    }

    /** All words, with further options of the place where the JVM runs. */
    List<String> words(List<String> tuning) {
        List<String> words = new ArrayList<>(List.of(GuestMain.SHELL));
        words.add(java.toString());
        words.addAll(tuning);
        words.addAll(options);
        words.addAll(List.of("-cp", classPath, GuestMain.class.getName()));
        return words;
    }
}
