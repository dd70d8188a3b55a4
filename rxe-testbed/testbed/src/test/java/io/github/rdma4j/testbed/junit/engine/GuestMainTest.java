// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Device;
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

    private static void send(WorkerPlace.Running jvm, Frame.Builder frame) throws IOException {
        jvm.input().write(frame.build().encoded());
        jvm.input().flush();
    }

    @Test
    void aTestDoesNotOutliveWhoAskedForIt() throws Exception {
        WorkerPlace.Running jvm =
                new LocalPlace().start(new GuestSpec("", 1, 0, Device.RXE, Backend.VM), JvmCommand.ofThisProcess());
        try {
            send(jvm, Frame.of(Frame.Kind.RUN).map(Map.of()).map(Map.of()).set(Set.of(TEST)));
            DataInputStream output = new DataInputStream(jvm.output());
            Frame frame = Frame.read(output);
            while (frame != null && frame.kind() != Frame.Kind.OUT) {
                if (frame.kind() == Frame.Kind.STARTED) {
                    send(jvm, Frame.of(Frame.Kind.ARRIVED));
                }
                frame = Frame.read(output);
            }
            assertThat(frame).as("the test runs").isNotNull();

            jvm.input().close();

            assertThat(jvm.awaitEnd().reason()).startsWith("the JVM in the guest ended with status 1:");
        } finally {
            jvm.kill();
        }
    }
}
