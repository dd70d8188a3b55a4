// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.WaitResponse;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** How the status of a container is understood; no engine is needed. */
class AttachedContainerTest {
    private static WaitContainerResultCallback failed(RuntimeException why) {
        WaitContainerResultCallback status = new WaitContainerResultCallback();
        status.onError(why);
        return status;
    }

    @Test
    void aContainerThatIsGoneHasNoStatus() {
        assertThat(AttachedContainer.status(failed(new NotFoundException("No such container"))))
                .isEmpty();
    }

    @Test
    void anEngineThatHasEndedTellsNoStatus() {
        assertThat(AttachedContainer.status(failed(new UncheckedIOException(new IOException("Connection refused")))))
                .isEmpty();
        assertThat(AttachedContainer.status(null)).isEmpty();
    }

    @Test
    void anEngineThatCannotBeUsedSaysWhy() {
        assertThatThrownBy(() -> AttachedContainer.requireEngine(() -> {
                    throw new NotFoundException("network bridge not found");
                }))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("network bridge not found")
                .hasMessageContaining("TESTCONTAINERS_HOST_OVERRIDE=localhost");
        assertThatThrownBy(() -> AttachedContainer.requireEngine(() -> false))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("start one, for example Docker")
                .hasMessageContaining("slf4j-simple");
    }

    @Test
    void theStatusIsThatOfTheCommand() {
        WaitContainerResultCallback status = new WaitContainerResultCallback();
        WaitResponse response = new WaitResponse() {
            @Override
            public Integer getStatusCode() {
                return 7;
            }
        };
        status.onNext(response);
        status.onComplete();
        assertThat(AttachedContainer.status(status)).hasValue(7);
    }
}
