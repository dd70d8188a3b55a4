// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.uml;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The place of a guest's memory: a file without a name, which grows as the guest touches its memory and is mapped with
 * the right to execute.
 */
final class GuestMemory {
    /** The option in {@code /proc/self/mounts} of a file system on which no program can be executed. */
    private static final String NO_EXECUTION = "noexec";

    private GuestMemory() {}

    /** The first directory with enough room that allows execution; file systems in memory come first. */
    static Path directory(int mebibytes) throws TestbedException {
        List<Path> candidates = new ArrayList<>(List.of(Path.of("/dev/shm")));
        candidates.add(Path.of(System.getProperty("java.io.tmpdir")));
        candidates.add(Path.of("/var/tmp"));
        return choose(candidates, mebibytes, mounts());
    }

    private static List<String> mounts() throws TestbedException {
        try {
            return Files.readAllLines(Path.of("/proc/self/mounts"));
        } catch (IOException e) {
            throw new TestbedException("cannot read /proc/self/mounts: " + e.getMessage(), e);
        }
    }

    static Path choose(List<Path> candidates, int mebibytes, List<String> mounts) throws TestbedException {
        List<String> reasons = new ArrayList<>();
        for (Path candidate : candidates) {
            String reason = objection(candidate, mebibytes, mounts);
            if (reason.isEmpty()) {
                return candidate;
            }
            reasons.add(candidate + " " + reason);
        }
        throw new TestbedException("there is no place for the guest's memory of " + mebibytes + " MiB ("
                + String.join(", ", reasons) + "): make room, use a smaller --memory, or name a directory in"
                + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
    }

    private static String objection(Path directory, int mebibytes, List<String> mounts) {
        try {
            if (!Files.isWritable(directory)) {
                return "cannot be written";
            }
            if (isNoExecution(directory.toRealPath(), mounts)) {
                return "is mounted noexec";
            }
            long free = Files.getFileStore(directory).getUsableSpace() >> 20;
            return free < mebibytes ? "has " + free + " MiB left" : "";
        } catch (IOException e) {
            return "cannot be looked at";
        }
    }

    /** The mount with the longest path counts, and the last of several mounts at one path. */
    static boolean isNoExecution(Path directory, List<String> mounts) {
        Path longest = Path.of("/");
        boolean found = false;
        for (String mount : mounts) {
            String[] fields = mount.split(" ", -1);
            Path point = Path.of(fields[1].replace("\\040", " "));
            if (directory.startsWith(point) && point.getNameCount() >= longest.getNameCount()) {
                longest = point;
                found = List.of(fields[3].split(",", -1)).contains(NO_EXECUTION);
            }
        }
        return found;
    }
}
