// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The environment, arguments and directory of this process as bytes. The JDK decodes them with the locale's charset,
 * which loses bytes, such as every non-ASCII byte in the C locale.
 */
public final class ProcessBytes {
    private ProcessBytes() {}

    public static List<byte[]> environment() {
        return strings(Path.of("/proc/self/environ"));
    }

    /** The raw form of the last arguments of the command line. */
    public static List<byte[]> arguments(List<String> decoded) {
        List<byte[]> all = strings(Path.of("/proc/self/cmdline"));
        if (all.size() >= decoded.size()) {
            List<byte[]> tail = all.subList(all.size() - decoded.size(), all.size());
            if (agree(tail, decoded)) {
                return tail;
            }
        }
        return decoded.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    // A decoder may replace bytes but keeps ASCII, so arguments that are not from the command line are recognised.
    private static boolean agree(List<byte[]> raw, List<String> decoded) {
        for (int i = 0; i < raw.size(); i++) {
            String text = decoded.get(i);
            if (text.chars().allMatch(c -> c < 0x80)
                    && !text.equals(new String(raw.get(i), StandardCharsets.ISO_8859_1))) {
                return false;
            }
        }
        return true;
    }

    public static byte[] workingDirectory() {
        String decoded = System.getProperty("user.dir");
        if (decoded.chars().allMatch(c -> c < 0x80)) {
            return decoded.getBytes(StandardCharsets.US_ASCII);
        }
        byte[] variable = "PWD=".getBytes(StandardCharsets.US_ASCII);
        for (byte[] entry : environment()) {
            if (entry.length > variable.length && Arrays.mismatch(entry, variable) == variable.length) {
                return Arrays.copyOfRange(entry, variable.length, entry.length);
            }
        }
        return decoded.getBytes(StandardCharsets.UTF_8);
    }

    private static List<byte[]> strings(Path file) {
        List<byte[]> strings = new ArrayList<>();
        try {
            byte[] content = Files.readAllBytes(file);
            int start = 0;
            for (int i = 0; i < content.length; i++) {
                if (content[i] == 0) {
                    strings.add(Arrays.copyOfRange(content, start, i));
                    start = i + 1;
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("no /proc on this machine", e);
        }
        return strings;
    }
}
