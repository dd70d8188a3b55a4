// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JVM in the guest, and an engine that is gone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuestMainTest {
    private static final String TEST =
            "[engine:junit-jupiter]/[class:" + Samples.Endless.class.getName() + "]/[method:sleeps()]";

    private static void send(WorkerPlace.Running jvm, Message frame) throws IOException {
        jvm.streams().input().write(frame.encoded());
        jvm.streams().input().flush();
    }

    @Test
    void aTestDoesNotOutliveWhoAskedForIt() throws Exception {
        WorkerPlace.Running jvm = new LocalPlace()
                .start(new GuestSpec("", 1, 0, Testbed.Device.RXE, 1, Backend.VM), JvmCommand.ofThisProcess());
        try {
            send(jvm, new Message(Message.Kind.RUN, Map.of(), Map.of(), Set.of(TEST)));
            DataInputStream output = new DataInputStream(jvm.streams().output());
            Message frame = Message.read(output);
            while (frame != null && frame.kind() != Message.Kind.OUT) {
                if (frame.kind() == Message.Kind.STARTED) {
                    send(jvm, new Message(Message.Kind.ARRIVED));
                }
                frame = Message.read(output);
            }
            assertThat(frame).as("the test runs").isNotNull();

            jvm.streams().input().close();

            assertThat(jvm.awaitEnd().reason()).startsWith("the JVM in the guest ended with status 1:");
        } finally {
            jvm.kill();
        }
    }
}
