// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Violations violations = new Violations();
    private final Ledger ledger = new Ledger("sends", violations);

    @Test
    void isContentWhenEveryRequestCompletesOnce() {
        ledger.posting(1);
        ledger.posting(2);
        ledger.completed(2);
        ledger.completed(1);
        ledger.close();
        assertThat(violations.all()).isEmpty();
    }

    @Test
    void reportsACompletionThatComesTwice() {
        ledger.posting(1);
        ledger.completed(1);
        ledger.completed(1);
        assertThat(violations.all()).singleElement().asString().contains("sends", "request 1", "not posted");
    }

    @Test
    void reportsARequestThatNeverCompletes() {
        ledger.posting(5);
        ledger.close();
        assertThat(violations.all()).singleElement().asString().contains("[5]", "never completed");
    }

    @Test
    void forgetsRequestsThatTheQueueRefused() {
        ledger.posting(5);
        ledger.refused(5);
        ledger.close();
        assertThat(violations.all()).isEmpty();
    }
}
