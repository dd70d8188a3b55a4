// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another user of the machine who puts traps into the directory for temporary files, which is everybody's. */
class HostileTemporaryDirectoryTest {
    private static final int VICTIMS = 50;
    private static final int STARTS = 400;
    private static final String[] AS_NOBODY = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};

    /** Makes directories with names as of dead launchers, and exchanges what is in them with links to the victim. */
    private static final String ATTACK = """
            my ($temporary, $victim) = @ARGV;
            my @traps = ("$temporary/rdma4j-1-1-x", "$temporary/rdma4j-0/run-1");
            $| = 1;
            print "ready\\n";
            umask 0;
            while (1) {
                for my $trap (@traps) {
                    mkdir $trap =~ s|/run-1$||r;
                    mkdir $trap;
                    chdir $trap or next;
                    for my $i (0 .. 39) {
                        mkdir "d$i";
                        symlink $victim, "l$i";
                    }
                    # renameat2(AT_FDCWD, d, AT_FDCWD, l, RENAME_EXCHANGE)
                    for my $n (0 .. 9999) {
                        syscall(316, -100, 'd' . $n % 40, -100, 'l' . $n % 40, 2);
                        last if $n % 40 == 0 && !-e "$trap/d39" && !-l "$trap/d39";
                    }
                }
            }
            """;

    @TempDir
    Path scratch;

    private Path temporary;

    @BeforeEach
    void makeADirectoryLikeTmp() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root can be another user");
        Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwxr-xr-x"));
        temporary = Files.createDirectory(scratch.resolve("tmp"));
        Tool.run("chmod", "1777", temporary.toString());
    }

    @AfterEach
    void removeTheTraps() throws Exception {
        if (temporary != null) {
            Tool.run("rm", "-rf", temporary.toString());
        }
    }

    @Test
    void nothingElsewhereIsDeletedByWayOfLinks() throws Exception {
        Path victim = Files.createDirectory(scratch.resolve("victim"));
        for (int i = 0; i < VICTIMS; i++) {
            Files.createFile(victim.resolve("file" + i));
        }
        Process attacker = asNobody("perl", "-e", ATTACK, temporary.toString(), victim.toString());
        try {
            assertThat(attacker.getInputStream().read()).isEqualTo('r');
            for (int i = 0; i < STARTS; i++) {
                RuntimeDirectory.createIn(temporary).close();
            }
            assertThat(attacker.isAlive()).isTrue();
        } finally {
            attacker.destroyForcibly().waitFor();
        }
        try (Stream<Path> files = Files.list(victim)) {
            assertThat(files).hasSize(VICTIMS);
        }
    }

    @Test
    void anotherUserCannotBlockTheStart() throws Exception {
        Path trap = Files.createDirectory(
                temporary.resolve("rdma4j-0"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.setAttribute(trap, "unix:uid", 65534);
        try (RuntimeDirectory run = RuntimeDirectory.createIn(temporary)) {
            assertThat(run.path()).hasParent(temporary);
        }
    }

    private static Process asNobody(String... command) throws IOException {
        return new ProcessBuilder(
                        Stream.concat(Stream.of(AS_NOBODY), Stream.of(command)).toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
