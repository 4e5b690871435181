-- A ledger as form 1 stored it: one table, no table id. Written by hupai's own code.
CREATE TABLE hupai_schema (version INTEGER NOT NULL);
INSERT INTO hupai_schema VALUES (1);
CREATE TABLE hupai_nights (night VARCHAR(80) NOT NULL PRIMARY KEY, created VARCHAR(32) NOT NULL);
CREATE TABLE hupai_events (night VARCHAR(80) NOT NULL REFERENCES hupai_nights (night), no INTEGER NOT NULL, kind VARCHAR(20) NOT NULL, key VARCHAR(120) NOT NULL, at VARCHAR(32) NOT NULL, body TEXT NOT NULL, outcomes TEXT NOT NULL, seal VARCHAR(64) NOT NULL, PRIMARY KEY (night, no), CONSTRAINT hupai_events_key UNIQUE (night, key));
INSERT INTO hupai_nights VALUES ('friday', '2026-11-30T00:47:32Z');
INSERT INTO hupai_events VALUES ('friday', 1, 'start', 'start of friday', '2026-11-30T00:47:32Z', '{"players":["An","Bo","Chi","Dee"],"rules":{"id":"taiwan","options":{}}}', '{}', '62e28da9d726a03d0904fd1cd3530f3b6fb648c02728c01903013f1440362f6e');
INSERT INTO hupai_events VALUES ('friday', 2, 'win', 'a', '2026-11-27T20:00:00Z', '{"winners":[{"player":"Chi","hand":"66678m11333p555z[222z]@6m"}],"from":"Bo"}', '{"2":{"payments":{"An":0,"Bo":-6,"Chi":6,"Dee":0},"wins":[{"player":"Chi","total":3,"dealer_line":0,"items":[["dragon-pung",1,1],["three-concealed-pungs",2,1]]}],"ruleset":"taiwan","version":"1.0","facts":{"seats":{"E":"An","S":"Bo","W":"Chi","N":"Dee"},"round":"E","dealer":"An","streak":0,"rules":"f0e698f998a9"}}}', '1b0eff8c6f18d60e76a7f3b876f69a7ced5f1ff05cbabb2328fe8f4eada1d7b0');
