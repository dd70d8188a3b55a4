// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.script;

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
        return new CLibrary(
                CProgram.build(directory, driver.identity(), sources(driver, CLibrary.class, "player"), "-O1"));
    }

    /** Builds the program that measures in {@code directory}: {@code pace.c} beside the driver. */
    public static CLibrary buildPace(Driver driver, Path directory) throws IOException, InterruptedException {
        CProgram.copy(CLibrary.class, directory, List.of("pace.h"));
        return new CLibrary(
                CProgram.build(directory, driver.identity(), sources(driver, driver.getClass(), "pace"), "-O2"));
    }

    private static List<CProgram.Source> sources(Driver driver, Class<?> ofProgram, String program) {
        List<CProgram.Source> sources = new ArrayList<>();
        sources.add(new CProgram.Source(ofProgram, program + ".c"));
        sources.add(new CProgram.Source(driver.getClass(), driver.source()));
        for (String generic : List.of("kernel.c", "node.c", "text.c", "kernel.h", "node.h", "text.h", "driver.h")) {
            sources.add(new CProgram.Source(CLibrary.class, generic));
        }
        return sources;
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
