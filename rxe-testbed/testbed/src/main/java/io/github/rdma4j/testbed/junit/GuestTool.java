// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Programs that the engine runs beside the tests, in the guest. */
final class GuestTool {
    private static final List<String> WITH_SBIN =
            List.of("/bin/sh", "-c", "PATH=$PATH:/usr/sbin:/sbin exec \"$@\"", "sh");

    private GuestTool() {}

    /** Runs a program to its end and returns what it wrote. */
    static String run(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(WITH_SBIN);
        command.addAll(words);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text;
        try (InputStream in = process.getInputStream()) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        process.getErrorStream().close();
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", words) + " ended with status " + status + ": " + text.strip());
        }
        return text;
    }
}
