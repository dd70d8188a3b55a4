// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramNameTest {
    @ParameterizedTest
    @CsvSource({
        "rping -s -C 1,                                      rping -s -C 1",
        "java -cp a:b sample.EchoServer 10.77.0.2 7471,      java EchoServer 10.77.0.2 7471",
        "/usr/bin/java -Xmx1g --class-path a -ea Main,       java Main",
        "java -XX:+UseSerialGC -jar /a/rdma4j-cli.jar ping,  java rdma4j-cli.jar ping",
        "java -p mods -m a.module/a.module.Main x,           java Main x",
        "java -cp lib/* src/NettyEcho.java 10.77.0.1,        java NettyEcho.java 10.77.0.1",
        "sh -c exec java -cp a Main b,                       java Main b",
        "java --version,                                     java --version"
    })
    void leavesOutTheOptionsOfAJvm(String line, String shown) {
        assertThat(ProgramName.of(line)).isEqualTo(shown);
    }
}
