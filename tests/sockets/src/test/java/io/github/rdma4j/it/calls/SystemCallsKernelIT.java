// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an operation costs in calls to the kernel, which do not depend on how busy the machine is. {@code calls/table.txt} says
 * how many there are; more fail, and so do fewer, so that the table stays true. The clock counts: to read it is a call to the
 * kernel where no other way is mapped, such as in User Mode Linux.
 */
@RequiresKernel
class SystemCallsKernelIT {
    @TempDir
    private static Path directory;

    private static CallTable table;
    private static String counted = "";

    @BeforeAll
    static void count() throws Exception {
        table = CallTable.parse(text("/calls/table.txt"));
        Path source = directory.resolve("counting.c");
        Files.writeString(source, text("/calls/counting.c"));
        String library = directory.resolve("counting.so").toString();
        Program.run("cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", library, source.toString(), "-ldl");
        List<String> command = new ArrayList<>(List.of("env", "LD_PRELOAD=" + library));
        command.addAll(Program.java(
                CountedOperations.class, library, directory.resolve("counts").toString(), Rxe.IPV4));
        Stream.of(Operations.values()).map(Operations::name).forEach(command::add);
        command.add(command.indexOf("-cp"), "-Dio.github.rdma4j.libc=" + library);
        command.add(command.indexOf("-cp"), "-Xint"); // because counting what to compile reads the clock
        try (Program program = Program.start(command)) {
            counted = program.success();
        }
    }

    private static String text(String resource) throws IOException {
        try (InputStream text = Objects.requireNonNull(SystemCallsKernelIT.class.getResourceAsStream(resource))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOperationMakesTheCallsOfTheTable(Operations operation) {
        assertThat(table.differences(operation.name(), counted))
                .as("calls of %s that are not as in calls/table.txt", operation)
                .isEmpty();
    }

    @Test
    void theTableHasAllOperations() {
        for (Operations operation : Operations.values()) {
            assertThat(table.has(operation.name())).as(operation.name()).isTrue();
        }
    }
}
