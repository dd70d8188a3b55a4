// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmCommandTest {
    @Test
    void optionsThatTestsNoticeAreTakenOver() {
        assertThat(JvmCommand.takenOver(List.of(
                        "-ea",
                        "-Da=b",
                        "-Xmx512m",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-XX:+UseG1GC",
                        "-Djdk.module.main=x",
                        "-agentlib:jdwp=transport=dt_socket,server=y")))
                .containsExactly("-ea", "-Da=b", "-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED");
    }

    @Test
    void theAgentInTheGuestKeepsItsCounts() {
        assertThat(Coverage.agentOption(List.of(
                        "-ea", "-javaagent:/x/org.jacoco.agent.jar=destfile=/y/jacoco.exec,append=true,includes=a.*")))
                .contains("-javaagent:/x/org.jacoco.agent.jar=includes=a.*,output=none");
    }

    @Test
    void otherAgentsAreNotJacoco() {
        assertThat(Coverage.agentOption(List.of("-javaagent:/x/idea_rt.jar=1234")))
                .isEmpty();
    }
}
