// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventCountTest {
    private final EventCount count = new EventCount();

    private boolean isAcknowledged(int number) throws InterruptedException {
        return count.await(number, Deadline.after(Duration.ofMillis(1)));
    }

    @Test
    void countsWhatIsRetrievedAndNotAcknowledged() {
        count.countRetrieved();
        count.countRetrieved();
        count.countAcknowledged();
        assertThat(count.retrieved()).isEqualTo(2);
        assertThat(count.outstanding()).isEqualTo(1);
    }

    @Test
    void waitsForNothingWhereNothingWasRetrieved() throws Exception {
        assertThat(isAcknowledged(0)).isTrue();
        assertThat(count.await(0, Deadline.never())).isTrue();
    }

    @Test
    void waitsUntilAsManyAreAcknowledged() throws Exception {
        count.countRetrieved();
        assertThat(isAcknowledged(1)).isFalse();
        Thread acknowledging = new Thread(count::countAcknowledged);
        acknowledging.start();
        assertThat(count.await(1, Deadline.never())).isTrue();
        acknowledging.join();
    }

    @Test
    void isNotHeldUpByEventsThatCameLater() throws Exception {
        count.countRetrieved();
        int then = count.retrieved();
        count.countRetrieved();
        count.countAcknowledged();
        assertThat(isAcknowledged(then)).isTrue();
    }
}
