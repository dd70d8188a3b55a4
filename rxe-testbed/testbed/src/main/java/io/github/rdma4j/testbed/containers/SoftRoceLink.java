// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import com.github.dockerjava.api.exception.NotFoundException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.testcontainers.DockerClientFactory;

/**
 * An Ethernet between the guests of several containers: a volume of the engine. The networks of the containers do not
 * matter. Close the link after the containers.
 */
public final class SoftRoceLink implements AutoCloseable {
    private final String volume;

    private SoftRoceLink(String volume) {
        this.volume = volume;
    }

    /** Makes a link on the engine that Testcontainers uses. */
    public static SoftRoceLink create() {
        Map<String, String> labels = new HashMap<>(DockerClientFactory.DEFAULT_LABELS);
        labels.put(DockerClientFactory.TESTCONTAINERS_SESSION_ID_LABEL, DockerClientFactory.SESSION_ID);
        var made = DockerClientFactory.lazyClient()
                .createVolumeCmd()
                .withName("rdma4j-" + UUID.randomUUID())
                .withLabels(labels)
                .exec();
        return new SoftRoceLink(made.getName());
    }

    /** The name of the volume. */
    public String volume() {
        return volume;
    }

    @Override
    public void close() {
        try {
            DockerClientFactory.lazyClient().removeVolumeCmd(volume).exec();
        } catch (NotFoundException e) {
            // The volume has been removed.
            return;
        }
    }
}
