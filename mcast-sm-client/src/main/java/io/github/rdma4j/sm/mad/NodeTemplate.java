// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.sm.mad.NodeRecord.Field;
import io.github.rdma4j.sm.mad.NodeRecord.Layout;
import java.nio.charset.StandardCharsets;

/** The fields of a node that are given. */
public final class NodeTemplate extends RecordTemplate<NodeRecord> {
    NodeTemplate() {
        super(NodeRecord.TYPE);
    }

    public NodeTemplate lid(int lid) {
        set16(Field.LID, Layout.LID, lid);
        return this;
    }

    /** {@link NodeRecord#CHANNEL_ADAPTER} and so on. */
    public NodeTemplate nodeType(int nodeType) {
        set8(Field.NODE_TYPE, Layout.NODE_TYPE, nodeType);
        return this;
    }

    public NodeTemplate systemImageGuid(long guid) {
        set64(Field.SYSTEM_IMAGE_GUID, Layout.SYSTEM_IMAGE_GUID, guid);
        return this;
    }

    public NodeTemplate nodeGuid(long guid) {
        set64(Field.NODE_GUID, Layout.NODE_GUID, guid);
        return this;
    }

    public NodeTemplate portGuid(long guid) {
        set64(Field.PORT_GUID, Layout.PORT_GUID, guid);
        return this;
    }

    /** The whole description, up to 64 bytes. */
    public NodeTemplate description(String description) {
        setBytes(
                Field.DESCRIPTION,
                Layout.DESCRIPTION,
                NodeRecord.DESCRIPTION_BYTES,
                description.getBytes(StandardCharsets.UTF_8));
        return this;
    }
}
