// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.CacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Snapshots of booted guests in the cache: the next guest of the same kind starts from the snapshot. See ADR 31.
 *
 * @param cache the cache
 * @param qemu the program; different versions cannot read each other's files
 */
record Snapshots(CacheDirectory cache, Optional<Path> qemu) {
    /** With {@code off} every guest boots. */
    static final String VARIABLE = "RDMA4J_TESTBED_SNAPSHOTS";

    private static final String PREFIX = "snapshot-";

    /** The number of kinds of guests of a project; each snapshot takes 90 MB. */
    private static final int MOST = 6;

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    static Snapshots of(String program, CacheDirectory cache, Map<String, String> environment) {
        boolean off =
                environment.getOrDefault(VARIABLE, "").toLowerCase(Locale.ROOT).equals("off");
        Optional<Path> found = off ? Optional.empty() : Tool.locate(program, environment.getOrDefault("PATH", ""));
        return new Snapshots(cache, found);
    }

    /**
     * The name of the snapshot for a guest; empty if snapshots are off. The guest's kernel has measured the speed of
     * this machine's processor, so a snapshot is valid until this machine boots.
     *
     * @param line the command line of QEMU, the same for all guests of the kind
     */
    Optional<String> name(List<String> line) throws IOException {
        if (qemu.isEmpty() || !Files.isReadable(BOOT_ID)) {
            return Optional.empty();
        }
        BasicFileAttributes program = Files.readAttributes(qemu.get().toRealPath(), BasicFileAttributes.class);
        String kind = line + " " + program.size() + " " + program.lastModifiedTime() + " " + Files.readString(BOOT_ID);
        return Optional.of(PREFIX + CacheDirectory.fingerprint(kind));
    }

    /** The snapshot of that name, if there is one. */
    Optional<Path> find(String name) {
        return cache.used(name);
    }

    /**
     * Keeps the snapshot that the maker writes. If another process keeps one at the same time, one of the two stays.
     */
    void keep(String name, CacheDirectory.Maker maker) throws TestbedException, InterruptedException {
        if (cache.canHold(name)) {
            cache.entry(name, maker);
            cache.keepNewest(PREFIX, MOST);
        }
    }

    /** Removes a snapshot from which no guest starts. */
    void discard(String name) {
        cache.remove(name);
    }
}
