// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.CacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Somebody who is not root and has the PATH that Debian gives to ordinary users, with a home and a built copy of the
 * launcher and the testbed: {@code nobody} if root runs the tests, else the user who runs them.
 */
final class OrdinaryUser {
    private static final String NOBODY = "65534";
    private static final int LIMIT_SECONDS = 600;

    private final Path home;
    private final Path project;

    /** What a command said, and how it ended. */
    record Outcome(int status, String output, String errors) {}

    private OrdinaryUser(Path home) {
        this.home = home;
        this.project = home.resolve("rdma4j");
    }

    static OrdinaryUser in(Path home) throws Exception {
        OrdinaryUser user = new OrdinaryUser(home);
        user.copyProject(Path.of("../..").toRealPath());
        if (isRoot()) {
            Tool.run("chown", "-R", NOBODY + ":" + NOBODY, home.toString());
        }
        return user;
    }

    static boolean isRoot() throws Exception {
        return Tool.run("id", "-u").strip().equals("0");
    }

    private void copyProject(Path original) throws Exception {
        Files.createDirectories(project.resolve("docs"));
        Files.createDirectories(project.resolve("tests"));
        Files.createDirectories(project.resolve("rxe-testbed/testbed/src"));
        Files.createDirectories(project.resolve("rxe-testbed/testbed/target"));
        for (String part : List.of(
                "rdma4j",
                "pom.xml",
                "docs/help",
                "tests/command.sh",
                "rxe-testbed/testbed/pom.xml",
                "rxe-testbed/testbed/bin",
                "rxe-testbed/testbed/src/main",
                "rxe-testbed/testbed/target/classes")) {
            Tool.run(
                    "cp",
                    "-a",
                    original.resolve(part).toString(),
                    project.resolve(part).toString());
        }
        // What the launcher's own build leaves, so that the classes count as new whoever built them.
        Files.createFile(project.resolve("rxe-testbed/testbed/target/.rdma4j-built"));
    }

    /** From now on the launcher finds that the testbed has to be built. */
    void forgetBuild() throws IOException {
        CacheDirectory.deleteTree(project.resolve("rxe-testbed/testbed/target/classes"));
    }

    /** From now on the project belongs to somebody else. */
    void mayNotBuild() throws Exception {
        Tool.run("chmod", "-R", "a-w", project.resolve("rxe-testbed/testbed").toString());
    }

    /** A program in a directory that comes first in the PATH. */
    void replaceProgram(String name, String script) throws IOException {
        Path program = Files.createDirectories(home.resolve("bin")).resolve(name);
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        if (!program.toFile().setExecutable(true, false)) {
            throw new IOException("cannot make executable: " + program);
        }
    }

    /** Runs the launcher with an environment of nothing but HOME, PATH and the JDK. */
    Outcome launch(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        command.add(project.resolve("rdma4j").toString());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(home, "output", "");
        Path errors = Files.createTempFile(home, "errors", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> !name.startsWith("RDMA4J_DEBIAN_"));
        environment.put("HOME", home.toString());
        environment.put("PATH", home.resolve("bin") + ":/usr/local/bin:/usr/bin:/bin:" + directoryOfMaven());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(command + " still runs: " + Files.readString(errors));
            }
            return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    // Maven need not be Debian's.
    private static Path directoryOfMaven() throws Exception {
        return Path.of(Tool.run("sh", "-c", "command -v mvn").strip()).resolveSibling("");
    }
}
