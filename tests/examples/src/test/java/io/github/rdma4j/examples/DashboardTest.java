// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard shows the counts of the MBean, by the names that the JMX exporter gives them, as the guide says. */
class DashboardTest {
    private static final Path DASHBOARD = Path.of("../../docs/connections.html");
    private static final Path PAGE = Path.of("../../docs/guide/nio.md");
    private static final String PREFIX = "io_github_rdma4j_Connections_";

    @Test
    void itsExpressionsNameTheCountsOfTheBean() throws IOException {
        List<String> counts = Arrays.stream(ConnectionsMXBean.class.getMethods())
                .filter(getter -> !List.class.isAssignableFrom(getter.getReturnType()))
                .map(Method::getName)
                .map(name -> name.replaceFirst("get", ""))
                .toList();
        assertThat(found(DASHBOARD, PREFIX + "(\\w+)")).isNotEmpty().containsExactlyInAnyOrderElementsOf(counts);
    }

    @Test
    void theGuideHasTheSameExpressions() throws IOException {
        assertThat(found(DASHBOARD, "'([^'\n]*" + PREFIX + "[^'\n]*)'"))
                .isNotEmpty()
                .isEqualTo(found(PAGE, "(?m)^\\| [^|\n]+ \\| `([^`\n]*" + PREFIX + "[^`\n]*)` \\|$"));
    }

    private static List<String> found(Path file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(file))
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
