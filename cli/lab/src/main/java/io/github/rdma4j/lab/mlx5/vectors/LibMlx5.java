// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.vectors;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** libmlx5 over a kernel that answers at once: a program plays scripts on it, another measures it. */
public final class LibMlx5 {
    private final CProgram program;

    private LibMlx5(CProgram program) {
        this.program = program;
    }

    /** Builds the program that plays scripts in {@code directory}. */
    public static LibMlx5 build(Path directory) throws IOException, InterruptedException {
        return new LibMlx5(CProgram.build(directory, sources("player", "kernel.h"), "-O1"));
    }

    /** Builds the program that measures in {@code directory}. */
    public static LibMlx5 buildPace(Path directory) throws IOException, InterruptedException {
        return new LibMlx5(CProgram.build(directory, sources("pace", "kernel.h", "pace.h"), "-O2"));
    }

    private static CProgram.Sources sources(String name, String... headers) {
        return new CProgram.Sources(LibMlx5.class, name, List.of("kernel.c"), List.of(headers));
    }

    /** What a device sees of {@code script}, with the lines of the script. */
    public List<String> play(Mode mode, List<String> script) throws IOException, InterruptedException {
        Path input = Files.write(program.directory().resolve("script"), script);
        return program.run(input, mode.arguments().toArray(String[]::new));
    }

    /** The output of {@code pace.c}: for each benchmark its name and the nanoseconds of each iteration. */
    public List<String> measure(int milliseconds, int iterations) throws IOException, InterruptedException {
        return program.run(Path.of("/dev/null"), String.valueOf(milliseconds), String.valueOf(iterations));
    }
}
