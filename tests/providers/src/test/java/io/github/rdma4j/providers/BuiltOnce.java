// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers;

import io.github.rdma4j.providers.script.Driver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The programs in C of a class of tests, one for each driver: a compiler takes as long as many of the tests. */
public final class BuiltOnce<P> {
    /** Builds the program of a driver. */
    @FunctionalInterface
    public interface Builder<P> {
        P build(Driver driver, Path directory) throws IOException, InterruptedException;
    }

    private final Builder<P> builder;
    private final Map<String, P> programs = new HashMap<>();

    public BuiltOnce(Builder<P> builder) {
        this.builder = builder;
    }

    /** The program of the driver, in a directory of its own below {@code directory}. */
    public P of(Driver driver, Path directory) throws IOException, InterruptedException {
        P program = programs.get(driver.name());
        if (program == null) {
            program = builder.build(driver, Files.createDirectory(directory.resolve(driver.name())));
            programs.put(driver.name(), program);
        }
        return program;
    }
}
