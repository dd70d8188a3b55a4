// SPDX-License-Identifier: Apache-2.0

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Random;

/** Writes rows to a database of H2 by JDBC, and reads them again. The argument is the database's URL. */
public final class H2Exchange {
    private static final int ROWS = 500;
    private static final int MOST_BYTES = 20_000;

    private H2Exchange() {}

    public static void main(String[] arguments) throws SQLException {
        try (Connection connection = DriverManager.getConnection(arguments[0], "sa", "")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table rows(id int primary key, bytes varbinary(" + MOST_BYTES + "))");
            }
            try (PreparedStatement insert = connection.prepareStatement("insert into rows values(?, ?)")) {
                for (int i = 0; i < ROWS; i++) {
                    insert.setInt(1, i);
                    insert.setBytes(2, row(i));
                    insert.executeUpdate();
                }
            }
            try (PreparedStatement select = connection.prepareStatement("select bytes from rows where id = ?")) {
                for (int i = 0; i < ROWS; i++) {
                    select.setInt(1, i);
                    compare(select, i);
                }
            }
        }
        System.out.println(ROWS + " rows are equal");
    }

    private static byte[] row(int id) {
        Random random = new Random(id);
        byte[] bytes = new byte[random.nextInt(MOST_BYTES)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void compare(PreparedStatement select, int id) throws SQLException {
        try (ResultSet result = select.executeQuery()) {
            if (!result.next() || !Arrays.equals(row(id), result.getBytes(1))) {
                throw new AssertionError("row " + id + " differs");
            }
        }
    }
}
