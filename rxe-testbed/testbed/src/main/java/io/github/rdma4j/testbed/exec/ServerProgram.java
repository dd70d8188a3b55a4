// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The server program, {@code exec.pl}, and how it is started: a command line reads the program from its input. */
final class ServerProgram {
    /** Reads exactly the program: what follows in the input is for the program. */
    private static final String BOOT = "my ($left, $program) = (shift, ''); while ($left) { my $got = sysread(STDIN,"
            + " $program, $left, length $program) or exit 125; $left -= $got } eval $program; die $@ if $@";

    private static final byte[] TEXT = text();

    private ServerProgram() {}

    private static byte[] text() {
        try (InputStream in =
                Objects.requireNonNull(ServerProgram.class.getResourceAsStream("exec.pl"), "the jar has no exec.pl")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> commandLine() {
        return List.of("/usr/bin/perl", "-e", BOOT, String.valueOf(TEXT.length));
    }

    /** The first bytes of the server's input. */
    static byte[] bytes() {
        return TEXT.clone();
    }
}
