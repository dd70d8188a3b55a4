// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The write(2) calls that strace has seen, with the file and all bytes of each. */
final class Strace {
    /** Everything in hexadecimal, paths of descriptors as well, and no command cut short. */
    private static final List<String> OPTIONS =
            List.of("strace", "-f", "-qq", "-y", "-xx", "-s", "512", "-e", "trace=write", "-e", "signal=none");

    private static final Pattern WRITE = Pattern.compile("write\\(\\d+<([^>]*)>, \"((?:\\\\x[0-9a-f]{2})*)\"");

    private Strace() {}

    /** A write to a file. */
    record Write(String file, String hex) {
        byte[] bytes() {
            return HexFormat.of().parseHex(hex);
        }
    }

    /** The command line that runs {@code command} and writes what it does to {@code log}. */
    static List<String> of(Path log, String... command) {
        List<String> line = new ArrayList<>(OPTIONS);
        line.addAll(List.of("-o", log.toString()));
        line.addAll(List.of(command));
        return line;
    }

    /** Watches this JVM, all its threads included, until the program is terminated. */
    static Program attachToThisJvm(Path log) {
        List<String> line = of(log, "-p", Long.toString(ProcessHandle.current().pid()));
        line.remove("-qq"); // so that it says when it is attached
        Program strace = Program.start(line);
        strace.awaitOutput("attached");
        return strace;
    }

    /** The writes to files below {@code directory}, in the order in which they began. */
    static List<Write> writes(Path log, String directory) throws IOException {
        List<Write> writes = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            Matcher matcher = WRITE.matcher(line);
            if (matcher.find()) {
                String file = new String(HexFormat.of().parseHex(hex(matcher.group(1))), StandardCharsets.UTF_8);
                if (file.startsWith(directory)) {
                    writes.add(new Write(file, hex(matcher.group(2))));
                }
            }
        }
        return writes;
    }

    private static String hex(String escaped) {
        return escaped.replace("\\x", "");
    }
}
