// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The report of a JVM that crashed in a guest, saved on this machine. */
final class CrashReport {
    private CrashReport() {}

    /**
     * Writes the report to a file of its own among the temporary files, whatever name the guest calls it by. Where that
     * cannot be done there is none: the command has its status all the same.
     */
    static Optional<Path> keep(String name, byte[] text) {
        String number = name.replaceAll("\\D", "");
        try {
            return Optional.of(
                    Files.write(Files.createTempFile("rdma4j-guest-hs_err_pid" + number + "-", ".log"), text));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
