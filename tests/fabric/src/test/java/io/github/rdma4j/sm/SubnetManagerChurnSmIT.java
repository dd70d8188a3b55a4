// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import org.junit.jupiter.api.Test;

/** OpenSM is killed and started again while many threads use a client. */
@OnFabric
class SubnetManagerChurnSmIT {
    @Nightly
    @Test
    void everyRequestEndsAndMembershipsLast() throws Exception {
        SubnetManagerChurn.Outcome outcome = SubnetManagerChurn.run(3, 6);
        assertThat(outcome.faults()).isEmpty();
        assertThat(outcome.statistics().unanswered()).isPositive();
        assertThat(outcome.requests()).isGreaterThan(outcome.failures());
    }
}
