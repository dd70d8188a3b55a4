// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The part of sysfs that says which GIDs the port has, for those who do not ask by ioctl. One folder for all kernels of a JVM. */
final class SysfsTree {
    private SysfsTree() {}

    /** Writes the files; the folder goes with the JVM. */
    static Path make(List<byte[]> gids) {
        try {
            Path root = folder(Files.createTempDirectory("mlx5-sysfs"));
            Path port = root;
            for (String name : List.of("class", "infiniband", Hca.NAME, "ports", "1")) {
                port = folder(Files.createDirectories(port.resolve(name)));
            }
            write(port.resolve("link_layer"), "Ethernet");
            Path numbers = folder(Files.createDirectories(port.resolve("gids")));
            Path attributes = folder(Files.createDirectories(port.resolve("gid_attrs")));
            Path types = folder(Files.createDirectories(attributes.resolve("types")));
            for (int i = 0; i < gids.size(); i++) {
                write(numbers.resolve(String.valueOf(i)), text(gids.get(i)));
                write(types.resolve(String.valueOf(i)), i % 2 == 0 ? "IB/RoCE v1" : "RoCE v2");
            }
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder(Path folder) {
        folder.toFile().deleteOnExit();
        return folder;
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(folder(file), text + "\n");
    }

    private static String text(byte[] gid) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < gid.length; i += 2) {
            text.append(i == 0 ? "" : ":").append(String.format(Locale.ROOT, "%02x%02x", gid[i], gid[i + 1]));
        }
        return text.toString();
    }
}
