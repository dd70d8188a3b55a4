// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** Posts bytes to Tomcat's blocking connector, whose servlet sends them back. The argument is the address. */
public final class TomcatExchange {
    private static final int PORT = 8080;
    private static final int POSTS = 120;
    private static final int MOST_BYTES = 1_000_000;

    private TomcatExchange() {}

    /** Sends back what comes. */
    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] bytes = new byte[request.getContentLength()];
            InputStream body = request.getInputStream();
            for (int at = 0; at < bytes.length; ) {
                int some = body.read(bytes, at, bytes.length - at);
                if (some < 0) {
                    throw new IOException("the body ends after " + at + " bytes of " + bytes.length);
                }
                at += some;
            }
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Tomcat server = new Tomcat();
        server.setBaseDir(Files.createTempDirectory("tomcat").toString());
        Connector connector = new Connector("org.apache.coyote.http11.Http11Protocol");
        connector.setPort(PORT);
        connector.setAttribute("address", arguments[0]);
        server.getService().addConnector(connector);
        server.setConnector(connector);
        Context context = server.addContext("", server.getServer().getCatalinaBase().toString());
        Tomcat.addServlet(context, "echo", new Echo());
        context.addServletMapping("/", "echo");
        server.start();
        for (int i = 0; i < POSTS; i++) {
            Random random = new Random(i);
            byte[] bytes = new byte[1 + random.nextInt(MOST_BYTES)];
            random.nextBytes(bytes);
            if (!Arrays.equals(bytes, post("http://" + arguments[0] + ":" + PORT + "/", bytes))) {
                throw new AssertionError("post " + i + " differs");
            }
        }
        System.out.println(POSTS + " posts are equal, over " + connector.getProtocolHandlerClassName());
        System.exit(0); // Java 17 does not let this Tomcat stop
    }

    private static byte[] post(String address, byte[] bytes) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address).toURL().openConnection();
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(bytes.length);
        try (OutputStream body = connection.getOutputStream()) {
            body.write(bytes);
        }
        try (InputStream answer = connection.getInputStream()) {
            return answer.readAllBytes();
        }
    }
}
