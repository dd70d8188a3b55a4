// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processes of this machine, by what they have mapped.
 *
 * @param proc the directory of processes
 */
record Processes(Path proc) {
    /** The library of HotSpot. */
    private static final String JVM = "/libjvm.so";

    /** The library by which rdma4j makes system calls; JNR unpacks it to a file of its own. */
    private static final String JNR = "/jffi";

    boolean exists(long pid) {
        return Files.isDirectory(proc.resolve(Long.toString(pid)));
    }

    /** Refuses what is no JVM: the attempt to attach to it would send a signal that ends it. */
    void requireJvm(long pid) throws IOException {
        String maps;
        try {
            maps = maps(pid);
        } catch (IOException e) {
            throw new IOException(
                    "the process " + pid + " belongs to another user: run the doctor as that user, or as root", e);
        }
        if (!maps.contains(JVM)) {
            throw new IOException("the process " + pid + " is no JVM");
        }
    }

    /** The JVMs, other than this one, that may use rdma4j, as far as this user may know. */
    List<Long> candidates() throws IOException {
        try (Stream<Path> all = Files.list(proc)) {
            return all.map(Path::getFileName)
                    .map(Path::toString)
                    .filter(name -> name.matches("[0-9]+"))
                    .map(Long::valueOf)
                    .filter(pid -> pid != ProcessHandle.current().pid() && mayUseRdma4j(pid))
                    .sorted()
                    .toList();
        }
    }

    private boolean mayUseRdma4j(long pid) {
        try {
            String maps = maps(pid);
            return maps.contains(JVM) && maps.contains(JNR);
        } catch (IOException anotherUserOrGone) {
            return false;
        }
    }

    private String maps(long pid) throws IOException {
        return Files.readString(proc.resolve(Long.toString(pid)).resolve("maps"), StandardCharsets.ISO_8859_1);
    }
}
