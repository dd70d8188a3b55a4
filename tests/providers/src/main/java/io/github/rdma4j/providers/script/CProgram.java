// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program in C, built from resources, that uses a library of rdma-core on a device that is not there. It needs a C compiler and
 * Debian packages, and neither a device nor a privilege.
 *
 * @param directory where the program is built and runs
 * @param name the name of the program
 * @param libraries what the program runs with
 */
public record CProgram(Path directory, String name, Libraries libraries) {
    private static final long SECONDS = 300;
    private static final String SUFFIX = ".c";
    private static final String PACKAGES = "gcc, libc6-dev, libibverbs-dev and ibverbs-providers";

    /**
     * A resource that a program is built from; only those that end with {@code .c} are compiled.
     *
     * @param place the class beside which the resource is
     * @param name the first one names the program
     */
    public record Source(Class<?> place, String name) {}

    /** Builds a program with libibverbs; {@code optimization} is an option of the compiler, such as {@code -O2}. */
    public static CProgram build(Path directory, Driver driver, List<Source> from, String optimization)
            throws IOException, InterruptedException {
        for (Source source : from) {
            copy(source.place(), directory, List.of(source.name()));
        }
        makeSysfs(directory, driver.identity().sysfs());
        String first = from.get(0).name();
        String name = first.substring(0, first.length() - SUFFIX.length());
        // The program's ioctl and others must be the ones that the libraries find: -rdynamic.
        List<String> options = new ArrayList<>(List.of(optimization, "-pthread", "-rdynamic", "-o", name));
        from.stream().map(Source::name).filter(each -> each.endsWith(SUFFIX)).forEach(options::add);
        options.addAll(List.of("-libverbs", "-ldl"));
        compile(directory, PACKAGES, options);
        return new CProgram(directory, name, driver.libraries());
    }

    /** Copies resources beside a class into the directory. */
    public static void copy(Class<?> place, Path directory, List<String> resources) throws IOException {
        for (String resource : resources) {
            try (InputStream in = place.getResourceAsStream(resource)) {
                Files.write(directory.resolve(resource), in.readAllBytes());
            }
        }
    }

    /** Writes the sysfs of the programs in the directory: the text of each file by its path in {@code class}. */
    public static void makeSysfs(Path directory, Map<String, String> files) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = sysfs(directory).resolve("class").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue() + "\n");
        }
    }

    /** The sysfs of the programs in the directory. */
    public static Path sysfs(Path directory) {
        return directory.resolve("sys");
    }

    /** Runs the C compiler; {@code packages} are the Debian packages that a message names. */
    public static void compile(Path directory, String packages, List<String> options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("cc", "-std=gnu11", "-Wall", "-Werror"));
        command.addAll(options);
        try {
            run(directory, Path.of("/dev/null"), command);
        } catch (IOException e) {
            throw new IOException(
                    "cannot build the program in C (Debian packages " + packages + "): " + e.getMessage(), e);
        }
    }

    /** The same program, which runs with other libraries. */
    public CProgram with(Libraries others) {
        return new CProgram(directory, name, others);
    }

    /** The program with arguments, not started yet. Its errors go to a file. */
    public ProcessBuilder process(String... arguments) {
        List<String> command = new ArrayList<>(libraries.starter());
        command.add(directory.resolve(name).toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = process(directory, command);
        builder.environment().putAll(libraries.environment());
        return builder;
    }

    private static ProcessBuilder process(Path directory, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().put("SYSFS_PATH", sysfs(directory).toString());
        return builder;
    }

    /** What the program has said of errors. */
    public String errors() throws IOException {
        return errors(directory);
    }

    private static String errors(Path directory) throws IOException {
        return Files.readString(directory.resolve("errors"), StandardCharsets.UTF_8);
    }

    /** The lines that the program prints. */
    List<String> run(Path input, String... arguments) throws IOException, InterruptedException {
        return run(directory, input, process(arguments));
    }

    /** Runs a command in the directory, with its sysfs; returns the lines that the command prints. */
    public static List<String> run(Path directory, Path input, List<String> command)
            throws IOException, InterruptedException {
        return run(directory, input, process(directory, command));
    }

    private static List<String> run(Path directory, Path input, ProcessBuilder builder)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = builder.redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        if (!ended || process.exitValue() != 0) {
            throw new IOException(builder.command() + (ended ? " failed: " : " did not end: ") + errors(directory));
        }
        return Files.readAllLines(output);
    }

    /** Deletes the directory of a program. */
    public static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
