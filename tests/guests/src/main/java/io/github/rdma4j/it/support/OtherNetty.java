// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.support.Program;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** JVMs with a Netty that the library is not compiled against. */
public final class OtherNetty {
    private OtherNetty() {}

    /** A JVM whose jars of Netty are those that the build of this module has put into a folder of its target. */
    public static List<String> java(String jars, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(Program.java(main, arguments));
        String others = Program.classPath()
                .filter(entry -> !new File(entry).getName().startsWith("netty-"))
                .collect(Collectors.joining(File.pathSeparator));
        // Last: some classes of tests take the place of Netty's.
        String last =
                File.pathSeparator + Path.of("..", "guests", "target", jars).toAbsolutePath() + "/*";
        command.set(command.indexOf("-cp") + 1, others + last);
        return command;
    }
}
