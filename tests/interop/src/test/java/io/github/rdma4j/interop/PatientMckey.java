// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * C mckey as a sender that leaves its group when it is told. By itself it leaves, and destroys its queue pair, as soon as it
 * has posted its messages; where soft-RoCE sends from a work queue, as in 6.12 and 7.2, most of them are then never sent.
 */
public final class PatientMckey {
    private static final String SOURCE = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdlib.h>
            #include <unistd.h>

            int rdma_leave_multicast(void *id, void *address)
            {
                int (*leave)(void *, void *) = dlsym(RTLD_NEXT, "rdma_leave_multicast");

                while (access(getenv("LEAVE_WHEN"), F_OK))
                    usleep(10000);
                return leave(id, address);
            }
            """;

    private final Path library;

    private PatientMckey(Path library) {
        this.library = library;
    }

    /** Compiles what makes it patient, in a directory that it can be loaded from. */
    public static PatientMckey compile(Path directory) throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("patient.c"), SOURCE);
        Path library = directory.resolve("patient.so");
        Program.run("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        return new PatientMckey(library);
    }

    /** What {@link #compile} made in that directory. */
    public static PatientMckey in(Path directory) {
        return new PatientMckey(directory.resolve("patient.so"));
    }

    /** The command line of a sender that leaves when {@code signal} exists. */
    public List<String> command(Path signal, String options) {
        List<String> command = new ArrayList<>(
                List.of("env", "LD_PRELOAD=" + library, "LEAVE_WHEN=" + signal, "stdbuf", "-oL", "mckey"));
        command.addAll(List.of(options.split(" ")));
        return command;
    }
}
