// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program that {@link CommandInGuestIT} runs through {@code bin/java}. */
final class GuestProbe {
    private GuestProbe() {}

    public static void main(String[] arguments) throws IOException {
        System.in.transferTo(System.out);
        System.out.flush();
        String host = InetAddress.getLocalHost().toString();
        Files.writeString(
                Path.of(System.getenv("REPORT")),
                String.join(" ", host, System.getenv("RDMA4J_GUEST"), System.getProperty("key"), arguments[0]));
        System.exit(3);
    }
}
