// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A directory of small files in place of sysfs. */
public final class SysfsTree {
    private SysfsTree() {}

    /**
     * Creates a directory that is deleted when the JVM ends. The map contains the text of each file by its path in the
     * directory.
     */
    public static Path make(Map<String, String> files) {
        try {
            Path root = Files.createTempDirectory("sysfs");
            root.toFile().deleteOnExit();
            for (Map.Entry<String, String> each : files.entrySet()) {
                Path file = root;
                for (Path name : Path.of(each.getKey())) {
                    file = file.resolve(name);
                    file.toFile().deleteOnExit();
                }
                Files.createDirectories(file.resolveSibling(""));
                Files.writeString(file, each.getValue() + "\n");
            }
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for sysfs", e);
        }
    }
}
