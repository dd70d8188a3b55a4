// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolTest {
    @Test
    void findsTheToolsOfAnAdministratorWithThePathOfAnOrdinaryUser() {
        assertThat(Tool.locate("depmod", "/usr/local/bin:/usr/bin:/bin")).isPresent();
        assertThat(Tool.locate("depmod", "")).isPresent();
        assertThat(Tool.locate("no-such-tool", "/usr/bin")).isEmpty();
    }

    @Test
    void runsNothingFromTheWorkingDirectoryBecauseOfAnEmptyPart(@TempDir Path directory) throws Exception {
        Path program = Files.createFile(directory.resolve("program"));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path here = Path.of("").toAbsolutePath();

        assertThat(Tool.locate("program", directory.toString())).contains(program);
        assertThat(Tool.locate("program", "::" + here.relativize(directory))).isEmpty();
    }

    @Test
    void reportsTheOutputOfAFailedProgram() {
        assertThatThrownBy(() -> Tool.run("sh", "-c", "echo sorry >&2; exit 4"))
                .isInstanceOfSatisfying(
                        Tool.FailureException.class,
                        failure -> assertThat(failure.output()).isEqualTo("sorry"))
                .hasMessageContaining("status 4");
        assertThatThrownBy(() -> Tool.run("no-such-tool")).hasMessageContaining("cannot run no-such-tool");
    }

    @Test
    void runsWhereItIsToldTo(@TempDir Path directory) throws Exception {
        assertThat(Tool.runIn(directory, List.of("pwd")).strip())
                .isEqualTo(directory.toRealPath().toString());
    }
}
