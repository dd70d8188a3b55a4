// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;

/**
 * A private directory for the sockets between this process and QEMU. It is removed as soon as QEMU has connected; what a
 * killed launcher left in the second before that, the next one sweeps away.
 */
final class RuntimeDirectory implements AutoCloseable {
    private static final String PREFIX = "rdma4j-";

    /** Socket addresses hold 107 bytes; a deep temporary directory does not fit. */
    private static final int LONGEST_PARENT = 60;

    private final Path path;

    private RuntimeDirectory(Path path) {
        this.path = path;
    }

    static RuntimeDirectory create() throws IOException {
        Path configured = Path.of(System.getProperty("java.io.tmpdir"));
        Path parent = configured.toString().length() <= LONGEST_PARENT ? configured : Path.of("/tmp");
        sweep(parent);
        ProcessHandle self = ProcessHandle.current();
        String owner = PREFIX + self.pid() + "-" + startMillis(self) + "-";
        return new RuntimeDirectory(Files.createTempDirectory(
                parent, owner, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() throws IOException {
        CacheDirectory.deleteTree(path);
    }

    private static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(parent, PREFIX + "*-*-*")) {
            for (Path candidate : candidates) {
                String[] parts = String.valueOf(candidate.getFileName()).split("-", -1);
                if (parts[1].matches("\\d{1,9}")
                        && parts[2].matches("\\d{1,18}")
                        && Files.isWritable(candidate)
                        && !isAlive(Long.parseLong(parts[1]), Long.parseLong(parts[2]))) {
                    CacheDirectory.deleteTree(candidate);
                }
            }
        }
    }

    // The start time tells a living owner from another process that got its number.
    private static boolean isAlive(long pid, long startMillis) {
        Optional<ProcessHandle> owner = ProcessHandle.of(pid);
        return owner.isPresent() && startMillis(owner.get()) == startMillis;
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
