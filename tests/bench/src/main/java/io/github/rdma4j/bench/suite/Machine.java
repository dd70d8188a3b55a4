// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The machine or guest on which figures were measured.
 *
 * @param processors such as {@code User Mode Linux}
 * @param kernel its version
 * @param device the RDMA device
 * @param count of the processors
 */
record Machine(String processors, String kernel, String device, int count) {
    /** The machine or guest that runs this program. */
    static Machine here(String device) {
        return new Machine(
                processors("1".equals(System.getenv("RDMA4J_GUEST")), read("/proc/cpuinfo")),
                System.getProperty("os.version"),
                device,
                Runtime.getRuntime().availableProcessors());
    }

    /** The kind of processor, which determines figures; {@code this machine} outside of guests. */
    static String processors(boolean guest, String text) {
        if (!guest) {
            return "this machine";
        }
        if (text.contains("User Mode Linux")) {
            return "User Mode Linux";
        }
        if (text.contains("CPU implementer")) {
            return "QEMU that emulates arm64";
        }
        return text.contains("QEMU TCG") ? "QEMU without KVM" : "QEMU with KVM";
    }

    /** One line for people. */
    String text() {
        return String.format(
                Locale.ROOT,
                "%s, Linux %s, %s, %d processor%s",
                processors,
                kernel,
                device,
                count,
                count == 1 ? "" : "s");
    }

    List<String> fields() {
        return List.of(processors, kernel, device, String.valueOf(count));
    }

    static Machine ofFields(List<String> fields) {
        return new Machine(fields.get(0), fields.get(1), fields.get(2), Integer.parseInt(fields.get(3)));
    }

    /** The name and the number of the processors of this machine. */
    static String host() {
        int count = Runtime.getRuntime().availableProcessors();
        return read("/proc/cpuinfo")
                .lines()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.replaceFirst("[^:]*: *", ""))
                .findFirst()
                .map(model -> count + " x " + model)
                .orElse(count + " processors");
    }

    /** The load of the last minute on this machine, which should be near 0 when a suite starts. */
    static String load() {
        String[] words = read("/proc/loadavg").split(" ", 2);
        return words[0].isEmpty() ? "unknown" : words[0];
    }

    private static String read(String path) {
        try {
            return Files.readString(Path.of(path));
        } catch (IOException e) {
            return "";
        }
    }
}
