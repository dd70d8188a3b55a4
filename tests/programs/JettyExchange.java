// SPDX-License-Identifier: Apache-2.0

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.CompletableResponseListener;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Jetty's server sends back what Jetty's client posts, from a byte to several mebibytes, and every byte is compared. */
public final class JettyExchange {
    private static final int[] SIZES = {1, 100, 4096, 65_537, 1 << 20, 5_000_011};
    private static final int ROUNDS = 20;
    private static final int LARGEST = 8 << 20;

    private JettyExchange() {}

    public static void main(String[] args) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(args[0]);
        server.addConnector(connector);
        server.setHandler(new Echo());
        server.start();
        HttpClient client = new HttpClient();
        client.start();
        String uri = "http://" + args[0] + ":" + connector.getLocalPort() + "/";
        long bytes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int size : SIZES) {
                exchange(client, uri, size, round);
                bytes += 2L * size;
            }
        }
        client.stop();
        server.stop();
        System.out.println(ROUNDS * SIZES.length + " requests, " + bytes + " bytes there and back, all equal");
    }

    private static void exchange(HttpClient client, String uri, int size, int seed) throws Exception {
        byte[] sent = new byte[size];
        new Random(seed).nextBytes(sent);
        Request request = client.POST(uri).body(new BytesRequestContent(sent));


        ContentResponse response =
                new CompletableResponseListener(request, LARGEST).send().get(1, TimeUnit.MINUTES);
        if (response.getStatus() != 200 || !Arrays.equals(sent, response.getContent())) {
            throw new AssertionError("status " + response.getStatus() + ", " + response.getContent().length + " of " + size
                    + " bytes");
        }
    }

    private static final class Echo extends Handler.Abstract {
        @Override
        public boolean handle(org.eclipse.jetty.server.Request request, Response response, Callback callback)
                throws Exception {
            ByteBuffer content = Content.Source.asByteBuffer(request);
            response.write(true, content, callback);
            return true;
        }
    }
}
