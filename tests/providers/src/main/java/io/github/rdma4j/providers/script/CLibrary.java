// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The library of a driver over a kernel that answers at once: a program plays scripts on the library, another measures it. */
public final class CLibrary {
    private final CProgram program;

    private CLibrary(CProgram program) {
        this.program = program;
    }

    /** Builds the program that plays scripts in {@code directory}. */
    public static CLibrary build(Driver driver, Path directory) throws IOException, InterruptedException {
        return new CLibrary(CProgram.build(directory, driver, sources(driver, "player"), "-O1"));
    }

    /** Builds the program that measures in {@code directory}. */
    public static CLibrary buildPace(Driver driver, Path directory) throws IOException, InterruptedException {
        CProgram.copy(CLibrary.class, directory, List.of("pace.h"));
        return new CLibrary(CProgram.build(directory, driver, sources(driver, "pace"), "-O2"));
    }

    private static List<CProgram.Source> sources(Driver driver, String program) {
        List<CProgram.Source> sources = new ArrayList<>();
        sources.add(new CProgram.Source(CLibrary.class, program + ".c"));
        sources.add(new CProgram.Source(driver.place(), driver.name() + ".c"));
        for (String helper : driver.helpers()) {
            sources.add(new CProgram.Source(driver.place(), helper));
        }
        for (String generic : List.of("kernel.c", "node.c", "text.c", "kernel.h", "node.h", "text.h", "driver.h")) {
            sources.add(new CProgram.Source(CLibrary.class, generic));
        }
        return sources;
    }

    /** What a device sees of {@code script}, with the lines of the script. */
    public List<String> play(Mode mode, List<String> script) throws IOException, InterruptedException {
        Path input = Files.write(program.directory().resolve("script"), script);
        return program.with(mode.libraries()).run(input, mode.arguments().toArray(String[]::new));
    }

    /**
     * The output of {@code pace.c}: for each benchmark its name and the nanoseconds of each iteration.
     *
     * @param mode whose libraries are measured
     * @param more the arguments behind the time
     */
    public List<String> measure(Mode mode, int milliseconds, int iterations, List<String> more)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(String.valueOf(milliseconds), String.valueOf(iterations)));
        arguments.addAll(more);
        List<String> output =
                program.with(mode.libraries()).run(Path.of("/dev/null"), arguments.toArray(String[]::new));
        return output.stream().filter(line -> !line.startsWith(" ")).toList();
    }
}
