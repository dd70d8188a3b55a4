// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.darpc.DaRPCMessage;
import com.ibm.darpc.DaRPCProtocol;
import com.ibm.darpc.DaRPCServerEndpoint;
import com.ibm.darpc.DaRPCServerEvent;
import com.ibm.darpc.DaRPCService;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A service of DaRPC that adds one to a number. */
final class Addition implements DaRPCService<Addition.Message, Addition.Message> {
    /** A number, and as many bytes more as a message of DaRPC's examples has. */
    static final class Message implements DaRPCMessage {
        private static final int BYTES = 24;

        int number;

        @Override
        public int size() {
            return BYTES;
        }

        @Override
        public void update(ByteBuffer buffer) {
            number = buffer.getInt();
        }

        @Override
        public int write(ByteBuffer buffer) {
            buffer.putInt(number).putInt(~number);
            return BYTES;
        }
    }

    /** What client and server agree on. */
    static final class Protocol implements DaRPCProtocol<Message, Message> {
        @Override
        public Message createRequest() {
            return new Message();
        }

        @Override
        public Message createResponse() {
            return new Message();
        }
    }

    @Override
    public Message createRequest() {
        return new Message();
    }

    @Override
    public Message createResponse() {
        return new Message();
    }

    @Override
    public void processServerEvent(DaRPCServerEvent<Message, Message> event) throws IOException {
        event.getSendMessage().number = event.getReceiveMessage().number + 1;
        event.triggerResponse();
    }

    @Override
    public void open(DaRPCServerEndpoint<Message, Message> endpoint) {
        System.out.println("a client has come");
    }

    @Override
    public void close(DaRPCServerEndpoint<Message, Message> endpoint) {
        System.out.println("a client has gone");
    }
}
