// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectableChannel;

/** A channel of another provider was registered. Its superclass has no message. */
final class ForeignChannelException extends IllegalSelectorException {
    private static final long serialVersionUID = 1;

    private final String message;

    ForeignChannelException(SelectableChannel channel) {
        message = "the channel is one of " + channel.provider().getClass().getName()
                + ", and this selector takes those of rdma4j's provider only: open the channel with selector.provider(), or"
                + " the selector with channel.provider()";
    }

    @Override
    public String getMessage() {
        return message;
    }
}
