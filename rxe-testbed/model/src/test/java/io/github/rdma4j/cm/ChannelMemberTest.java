// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An id whose closing fails half-way. */
class ChannelMemberTest {
    @Test
    @SuppressWarnings("NullAway") // what makes events is not used
    void theIdIsDestroyedThoughItCannotLeaveItsChannel() throws Exception {
        ModelRdmaCm model = new ModelRdmaCm();
        try (EventChannel channel = EventChannel.open(model.kernel())) {
            CmId id = channel.createId(PortSpace.TCP);
            Retrieval.Current on = new Retrieval.Current(id.retrieval());
            IdEvents events = new IdEvents(id.core(), null, null, new Requests(id, List.of()));
            StackOverflowError error = new StackOverflowError("of the test");
            ChannelMember member = new ChannelMember(id.core(), on, new IdResources(), events, () -> {
                throw error;
            });

            assertThatThrownBy(member::close).isSameAs(error);

            assertThat(model.ids()).isZero();
            assertThat(id.state()).isEqualTo(CmState.DESTROYED);
        }
        model.assertNothingLeft();
    }
}
