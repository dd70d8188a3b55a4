// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import io.github.rdma4j.support.HelpPage;
import org.junit.jupiter.api.Test;

class BenchHelpTest {
    @Test
    void thePageIsWhatTheCommandPrints() {
        HelpPage.requireSame("bench", BenchMain.commandLine().getUsageMessage());
    }
}
